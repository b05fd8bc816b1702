/** The words that were read, each with whether the truth has it at that place (longest common subsequence). */
export function wordsRight<Token>(
  tokens: readonly Token[],
  nameOf: (token: Token) => string,
  truth: string,
): { tokens: Token[]; isRight: boolean }[] {
  const words: Token[][] = [[]];
  for (const token of tokens)
    if (nameOf(token) === ' ') words.push([]);
    else words.at(-1)!.push(token);
  const readWords = words.filter((word) => word.length > 0);
  const texts = readWords.map((word) => word.map(nameOf).join(''));
  const wanted = truth.split(' ');
  const longest = Array.from({ length: texts.length + 1 }, () => Array<number>(wanted.length + 1).fill(0));
  for (let i = texts.length - 1; i >= 0; i--)
    for (let j = wanted.length - 1; j >= 0; j--)
      longest[i]![j] =
        texts[i] === wanted[j]
          ? longest[i + 1]![j + 1]! + 1
          : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
  const right = new Set<number>();
  for (let i = 0, j = 0; i < texts.length && j < wanted.length; )
    if (texts[i] === wanted[j]) {
      right.add(i);
      i++;
      j++;
    } else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++;
    else j++;
  return readWords.map((word, at) => ({ tokens: word, isRight: right.has(at) }));
}
