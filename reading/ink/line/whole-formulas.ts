/**
 * How usual a formula is as a whole (training/language/wholes.py). A trigram forgets what it has read two signs ago; this recurrent
 * model knows that a letter which stood at the beginning is likely to come again, and what a bracket waits for.
 */
import { openSession, Tensor } from '../../onnx-runtime.ts';

export interface WholeFormulas {
  /**
   * @param formulas indices of the line model's tokens, without the enclosure
   * @returns for each the natural logarithm of its probability, its end included
   * @throws Error if the model is missing or has an unexpected form
   */
  logProbabilities(formulas: readonly (readonly number[])[]): Promise<number[]>;
  close(): Promise<void>;
}

/**
 * Opened with the first formula that it is asked for: photographs and text do without it.
 * @param path of `whole-formulas.onnx`
 * @param tokens how many the line model has; the index behind them begins and ends a formula
 */
export function openWholeFormulas(path: string, tokens: number): WholeFormulas {
  const edge = tokens;
  let opened: ReturnType<typeof openSession> | null = null;
  return {
    async logProbabilities(formulas) {
      if (formulas.length === 0) return [];
      const length = 1 + Math.max(...formulas.map((formula) => formula.length));
      const said = new BigInt64Array(formulas.length * length).fill(BigInt(edge));
      for (const [at, formula] of formulas.entries())
        for (const [index, token] of formula.entries()) said[at * length + index + 1] = BigInt(token);
      opened ??= openSession(path);
      const { scores } = await (await opened).run({
        said: new Tensor('int64', said, [formulas.length, length]),
      });
      if (scores?.dims[2] !== tokens + 1) throw new Error('the model of formulas is of another form');
      const values = scores.data as Float32Array;
      return formulas.map((formula, at) =>
        [...formula, edge].reduce(
          (sum, token, index) => sum + values[(at * length + index) * (tokens + 1) + token]!,
          0,
        ),
      );
    },
    close: async () => {
      await (await opened)?.release();
    },
  };
}
