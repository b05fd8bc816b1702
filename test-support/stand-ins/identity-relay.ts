/** A relay on loopback in front of the product that can be made to fail, like a load balancer on a bad day. */
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `cut`: the connection ends without a response. */
export type RelayFault = number | 'cut';

export interface Relay {
  address: string;
  /** Where it passes requests on to; set it before the first one. */
  target: string;
  /** Method and path of every request received, including those that failed. */
  requests: string[];
  /** Makes the next requests whose path contains `path` meet these faults, one each; then things work again. */
  fail(path: string, faults: RelayFault[]): void;
  close(): Promise<void>;
}

export async function startRelay(target = ''): Promise<Relay> {
  const requests: string[] = [];
  const planned: { path: string; fault: RelayFault }[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    requests.push(`${incoming.method} ${path}`);
    const next = planned.findIndex((plan) => path.includes(plan.path));
    if (next >= 0) {
      const fault = planned.splice(next, 1)[0]?.fault;
      if (typeof fault === 'number')
        outgoing.writeHead(fault, { 'Content-Type': 'text/html' }).end('<p>no</p>');
      else incoming.socket.destroy();
      return;
    }
    const upstream = sendRequest(
      new URL(path, relay.target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.once('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: Relay = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    requests,
    fail(path, faults) {
      for (const fault of faults) planned.push({ path, fault });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return relay;
}
