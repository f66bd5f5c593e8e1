import { hash } from 'node:crypto';

/** The page that the browser shows at the end. */
export interface ResultPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** The login is done and stored. */
export const successPage: ResultPage = {
  status: 200,
  title: 'You are logged in',
  text: 'You can close this window and return to the terminal.',
};

/** The login failed; the terminal shows the reason. */
export const failurePage: ResultPage = {
  status: 400,
  title: 'You are not logged in',
  text: 'The terminal shows the reason. You can close this window.',
};

/** For an answer with another login's state: from an earlier window, or forged by a web page. */
export const foreignPage: ResultPage = {
  status: 400,
  title: 'This answer is for another login',
  text: 'The login in the terminal is not affected and is still waiting for its own answer. You can close this window.',
};

/** For any other request. */
export const otherLoginPage: ResultPage = {
  status: 404,
  title: 'Not found',
  text: 'This address only accepts the answer to one login.',
};

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
`;

/**
 * The page loads, runs and sends nothing, can't be framed, and does not reveal its address, which contained the code.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  connection: 'close',
};

/** The page as HTML, with fixed texts only: nothing of the request is in it. */
export function pageHtml({ title, text }: ResultPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · perp</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;
}
