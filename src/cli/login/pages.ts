import { hash } from 'node:crypto';

/** What the browser is told in the end. */
export interface ResultPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** The login is done and kept. */
export const successPage: ResultPage = {
  status: 200,
  title: 'You are logged in',
  text: 'The command line has what it needs. You can close this window and go back to the terminal.',
};

/** The login failed; the terminal says why. */
export const failurePage: ResultPage = {
  status: 400,
  title: 'You are not logged in',
  text: 'The terminal says why. You can close this window.',
};

/** For an answer with another login's state: from an earlier window, or forged by a web page. */
export const foreignPage: ResultPage = {
  status: 400,
  title: 'This answer is for another login',
  text: 'The login in the terminal is not affected and is still waiting for its own answer. You can close this window.',
};

/** Whatever else asks. */
export const strangerPage: ResultPage = {
  status: 404,
  title: 'There is nothing here',
  text: 'This address takes the answer to one login, and nothing else.',
};

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
`;

/** Nothing loads, nothing runs, nothing is sent, nobody frames it, and its address, which had the code, is told nobody. */
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

/** The page as HTML. Its texts are ours alone: nothing of the request is in it. */
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
