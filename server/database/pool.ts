/** The connection pool: limited waits, and errors that tell whether the database is unavailable. */
import pg from 'pg';
import { findAbsence, markAbsence } from '#platform/absence.ts';
import type { Outages } from '#platform/outages.ts';

/** Time for a new connection, in ms. A suspended server accepts it and never responds. */
export const connectLimitMs = 5_000;
/** Time for one statement, in ms, including waits for locks; ours take milliseconds. */
const queryLimitMs = 15_000;
/** Time for a free connection of the pool, in ms: longer than for a statement, so that hanging ones end first. */
const poolLimitMs = 25_000;

const timedOut = 'Query read timeout';
/** The driver's messages that have no code. */
const lostConnection =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client (?:was closed|has encountered a connection error))/;
/** 08: connection; 57P01 to 57P05: shut down, crashed, starting up; 53: out of connections or memory; 58: its disk. */
const lostState = /^(?:08|57P0|53[0234]|58)/;
const lostNetwork = /^E(?:CONN|PIPE|TIMEDOUT|NOENT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|ACCES)/;

function isUnreachable({ code, message }: Error & { code?: string }): boolean {
  if (code === undefined) return lostConnection.test(message);
  return lostState.test(code) || lostNetwork.test(code);
}

class QuickClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectLimitMs });
    // a connection that breaks in a transaction fails its query and also emits this event
    this.on('error', () => {});
  }
}

/** Connections of a killed server keep responding for a moment, some longer than others. */
const lastWordsMs = 5_000;

/**
 * 20 connections: two processes, their queues and a CLI stay well below PostgreSQL's default of 100. Errors caused by
 * an unavailable database are marked as such (absence.ts) and reported to `outages`.
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
    if (isUnreachable(error)) markAbsence(error, 'database');
    if (findAbsence(error) === 'database') {
      failedAt = performance.now();
      outages?.failed('database', error.code ?? error.message);
    }
    return error;
  };
  // the pool replaces a broken idle connection; without a listener it would end the process
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
          // the late response could arrive during another caller's use of this connection
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
