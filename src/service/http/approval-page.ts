import { hash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.2rem; margin: 1.5rem 0; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; gap: .8rem; margin-top: 1.8rem; }
button { font: inherit; padding: .55rem 1.3rem; border-radius: .4rem; border: 1px solid; cursor: pointer; }
button[value=approve] { background: #1a6b3c; border-color: #1a6b3c; color: #fff; }
`;

/** The page may use only its own style: nothing is loaded, run or framed, and its form is sent only to this service. */
export function contentSecurityPolicy(redirectOrigin: string | null): string {
  const styleHash = hash('sha256', style, 'base64');
  const formAction = redirectOrigin === null ? "'none'" : `'self' ${hostSource(redirectOrigin)}`;
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/** A policy can't name an IPv6 address (CSP 3, 2.3.1): its scheme is the narrowest source that browsers accept. */
function hostSource(origin: string): string {
  return origin.includes('[') ? 'http:' : origin;
}

/** Shows what the user must know to decide: which device, its permissions, and for how long. */
export function approvalPage(deviceName: string, token: string): string {
  return page(
    'Allow this command line to log in?',
    `<p>A command line on this machine wants to log in to the simulated exchange.</p>
<dl>
<dt>Device</dt><dd id="device">${escaped(deviceName)}</dd>
<dt>It may</dt><dd>see and trade every account you own here</dd>
<dt>For</dt><dd>30 days, or until <code>perp logout</code></dd>
</dl>
<p>If you did not just run <code>perp login</code>, deny this.</p>
<form method="post" action="/cli/authorize">
<input type="hidden" name="token" value="${escaped(token)}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  );
}

/** A request that can't be approved, and why. */
export function problemPage(problem: string): string {
  return page(
    "This login can't continue",
    `<p id="problem">${escaped(problem)}</p><p>Nothing was granted. Run <code>perp login</code> to start again.</p>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · perp</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
