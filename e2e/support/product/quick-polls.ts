/**
 * Playwright takes an ARIA snapshot of the whole page each time an expectation is not met yet, and
 * keeps the last one for its report. Flows wait in most of their expectations: 30 to 50 snapshots per
 * flow, each of which needs the page's layout and the role of every element. Without them the report
 * of a failed flow still has a snapshot, taken when the flow ends, and the second try is recorded.
 */
import type { Page } from '@playwright/test';

interface Injected {
  ariaSnapshotForExpectFailure: unknown;
}

interface Script {
  evaluate: <T>(work: (injected: Injected) => T) => Promise<T>;
}

/** Runs scripts in one document: Playwright's own class, which has no public name. */
interface Runner {
  injectedScript: () => Promise<Script>;
}

interface Inside {
  _connection: {
    toImpl: (page: unknown) => { mainFrame: () => { utilityContext: () => Promise<Runner> } };
  };
}

let isQuick = false;

/** Applies to every page that this worker loads from now on. */
export async function stopSnapshotsOfPolls(page: Page): Promise<void> {
  if (isQuick) return;
  isQuick = true;
  const inside = page as unknown as Inside;
  const runner: Runner = Object.getPrototypeOf(
    await inside._connection.toImpl(page).mainFrame().utilityContext(),
  );
  const { injectedScript } = runner;
  const quick = new WeakMap<Runner, Promise<Script>>();
  runner.injectedScript = function () {
    const known = quick.get(this);
    if (known) return known;
    const script = injectedScript.call(this).then(async (script) => {
      await script.evaluate((injected) => {
        if (typeof injected.ariaSnapshotForExpectFailure !== 'function')
          throw new Error(
            'Playwright takes its snapshots in another way: see e2e/support/product/quick-polls.ts',
          );
        injected.ariaSnapshotForExpectFailure = () => undefined;
      });
      return script;
    });
    quick.set(this, script);
    return script;
  };
}
