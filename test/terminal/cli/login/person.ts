import { get } from 'node:http';

/** The form data of the approval page. */
export interface OpenPage {
  readonly origin: string;
  readonly token: string;
  readonly cookie: string;
}

/** A person with a browser, who reads the approval page and presses one of its buttons. */
export class Person {
  /** Opens the address that perp printed. */
  async open(address: string): Promise<OpenPage> {
    const answer = await fetch(address);
    const html = await answer.text();
    const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
    if (token === undefined) throw new Error(`no approval page at ${address}: ${answer.status} ${html}`);
    return { origin: new URL(address).origin, token, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! };
  }

  /** Presses a button; returns the address that the browser is redirected to, without opening it. */
  async decide({ origin, token, cookie }: OpenPage, decision: 'approve' | 'deny'): Promise<string> {
    const answer = await fetch(`${origin}/cli/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, cookie },
      body: new URLSearchParams({ token, decision }),
    });
    if (answer.status !== 303) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.headers.get('location')!;
  }

  /** Approves and follows the redirect; returns the page that the browser finally shows. */
  async approve(address: string): Promise<string> {
    return this.follow(await this.decide(await this.open(address), 'approve'));
  }

  async deny(address: string): Promise<string> {
    return this.follow(await this.decide(await this.open(address), 'deny'));
  }

  /** Opens an address as a browser window does; fetch would identify itself as a script. */
  follow(location: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get(location, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } }, (answer) => {
        answer
          .setEncoding('utf8')
          .toArray()
          .then((texts) => resolve(texts.join('')), reject);
      }).on('error', reject);
    });
  }
}
