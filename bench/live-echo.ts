/** A bare client of the bench's venue, in a thread of its own: sends back the number of every message. */
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

const socket = new WebSocket(workerData.url);
socket.on('open', () => parentPort!.postMessage('open'));
socket.on('message', (data) => socket.send(String(data).slice(0, String(data).indexOf(' '))));
