import { expect, test } from 'vitest';
import { calibrationError } from './calibration.ts';
import { isFormula, scoreFaults } from './score-faults.ts';

test('a mistake is kept, corrected, or neither', () => {
  const truth = ['2+2=5', '3x=9', 'x=4', '1+1=3'];
  const faults = [
    { line: 0, corrected: '2+2=4' },
    { line: 2, corrected: 'x=3' },
    { line: 3, corrected: '1+1=2' },
  ];
  expect(scoreFaults(truth, faults, ['2+2=5', '3x=9', 'x=3', null])).toEqual({
    faults: 3,
    kept: 1,
    corrected: 1,
  });
  expect(scoreFaults(truth, faults, ['2+2=7', null, null, null])).toMatchObject({ kept: 0, corrected: 0 });
});

test('a line of mathematics has no words, whatever its commands are called', () => {
  expect(['5. c=\\sqrt{6^2+8^2}', '\\frac{D}{Dx}(3x^2)', 'x=4'].map(isFormula)).toEqual([true, true, true]);
  expect(['so x=4', 'x=4 \\text{ is right}', 'Name'].map(isFormula)).toEqual([true, false, false]);
});

test('well-calibrated confidences have no error, others as much as they are off', () => {
  const judged = (confidence: number, right: number, of: number) =>
    Array.from({ length: of }, (_, at) => ({ confidence, isRight: at < right }));
  expect(calibrationError(judged(0.5, 5, 10))).toBe(0);
  expect(calibrationError([...judged(0.9, 5, 10), ...judged(0.1, 1, 10)])).toBeCloseTo(0.2);
  expect(calibrationError([])).toBeNull();
});
