/** The pool of connections: bounded waits, and errors that say whether the database is away. */
import pg from 'pg';
import { findAbsence, markAbsence } from '#platform/absence.ts';
import type { Outages } from '#platform/outages.ts';

/** Time for a new connection, in ms. A server that is stopped takes it and says nothing. */
const connectLimitMs = 5_000;
/** Time for one statement, in ms, waits for locks included; ours take milliseconds. */
const queryLimitMs = 15_000;
/** Time for a free connection of the pool, in ms: longer than a statement, so that those that hang end first. */
const poolLimitMs = 25_000;

const timedOut = 'Query read timeout';
/** What the driver says without a code. */
const lostConnection =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (?:was closed|has encountered a connection error))/;
/** 08: connection; 57P01 to 57P05: shut down, crashed, starting up; 53: out of connections or memory; 58: its disk. */
const lostState = /^(?:08|57P0|53[0234]|58)/;
const lostNetwork = /^E(?:CONN|PIPE|TIMEDOUT|NOENT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|ACCES)/;

function isAway({ code, message }: Error & { code?: string }): boolean {
  if (code === undefined) return lostConnection.test(message);
  return lostState.test(code) || lostNetwork.test(code);
}

class QuickClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectLimitMs });
    // One that breaks in a transaction fails its query, and says so once more as an event that nobody may have asked for.
    this.on('error', () => {});
  }
}

/** Connections of a server that was killed go on answering for a moment, one longer than the other. */
const lastWordsMs = 5_000;

/**
 * 20 connections: two processes, their queues and a CLI stay well below PostgreSQL's default of 100. What fails
 * because the database is away is marked as such (absence.ts), and told to `outages`.
 */
export function createPool(url: string, outages?: Outages): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    application_name: 'inkproof',
    connectionTimeoutMillis: poolLimitMs,
    query_timeout: queryLimitMs,
    Client: QuickClient,
  });
  let failedAt = Number.NEGATIVE_INFINITY;
  const note = (error: Error & { code?: string }) => {
    if (isAway(error)) markAbsence(error, 'database');
    if (findAbsence(error) === 'database') {
      failedAt = performance.now();
      outages?.failed('database', error.code ?? error.message);
    }
    return error;
  };
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    const openedAt = performance.now();
    const noteAnswer = () => {
      if (openedAt > failedAt || performance.now() - failedAt > lastWordsMs) outages?.works('database');
    };
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const callback = args.at(-1);
      if (typeof callback === 'function')
        args[args.length - 1] = (error: Error | null, result: unknown) => {
          if (error) note(error);
          else noteAnswer();
          callback(error, result);
        };
      const sent = send(...args);
      if (!(sent instanceof Promise)) return sent;
      return sent.then(
        (result) => {
          noteAnswer();
          return result;
        },
        (error: Error) => {
          // the answer could still come, in the middle of what another does with this connection
          if (error.message === timedOut) client.end().catch(() => {});
          throw note(error);
        },
      );
    }) as typeof client.query;
  });
  const connect = pool.connect.bind(pool);
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    if (callback) return connect((error, client, release) => callback(error && note(error), client, release));
    return connect().catch((error: Error) => {
      throw note(error);
    });
  }) as typeof pool.connect;
  return pool;
}
