/**
 * A venue of the bench in a thread of its own, on real sockets: publishes updates and trades of Binance's form, and
 * notes when a fill or an echo of each comes back.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerSocket } from '../test/venues/live/virtual-world.ts';
import { BinanceOfBench } from './live-venue.ts';

const { coins, ticks, everyMs } = workerData as { coins: string[]; ticks: number; everyMs: number };
const venue = new BinanceOfBench(coins, ticks);
/** When each market's last trade was sent, and each numbered message. */
const sentAt = new Map<string, number>();
const waits = { fill: [] as number[], echo: [] as number[] };
const echoes = new Set<WebSocket>();

const http = createServer((request, response) => {
  const { status, body } = venue.onRequest(request.url!);
  // The frames have no real times, so the venue's clock stays unknown, and no message counts as late.
  response.sendDate = false;
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
});
const sockets = new WebSocketServer({ server: http });
sockets.on('connection', (socket, request) => {
  if (request.url === '/echo') echoes.add(socket);
  const end = { url: '', isOpen: true, send: (text: string) => socket.send(text), close() {} } satisfies ServerSocket;
  if (request.url === '/public/ws') venue.onConnect(end);
  socket.on('message', (data) => {
    const text = String(data);
    if (request.url === '/public/ws') return venue.onFrame(end, text);
    const sent = sentAt.get(text);
    if (sent === undefined) return;
    waits[request.url === '/echo' ? 'echo' : 'fill'].push(performance.now() - sent);
  });
});
http.listen(0, '127.0.0.1', () => parentPort!.postMessage({ port: (http.address() as AddressInfo).port }));

let turn = 0;
parentPort!.on('message', () => {
  const timer = setInterval(() => {
    const [number, tick] = [turn % coins.length, Math.floor(turn / coins.length)];
    turn += 1;
    if (tick >= ticks) {
      clearInterval(timer);
      setTimeout(() => parentPort!.postMessage({ waits }), 500);
      return;
    }
    sentAt.set(coins[number]!, performance.now());
    venue.publish(number, tick, Date.now());
    for (const socket of echoes) {
      sentAt.set(`e${turn}`, performance.now());
      socket.send(`e${turn} ${'x'.repeat(2_000)}`);
    }
  }, everyMs);
});
