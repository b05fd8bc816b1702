/** The language of a text by its most frequent words, under babel's name; null if there is too little text. */

const stopWords: Record<string, string> = {
  english: 'the of and to is in that for with be this are as we by it on not an from let',
  german: 'der die und das ist nicht den von mit ein eine zu auf für sich dem im werden wird sind bei',
  french: 'le la les et des est un une que pour dans qui sur pas au du il nous avec ce en par on',
  spanish: 'el los las y de que en un una es por con para se del su no como más',
  italian: 'il di che la è un una per con non del della sono le gli in si da',
  portuguese: 'o os as de que e do da em um uma para com não por se na no',
  dutch: 'de het een en van is dat niet te op voor met zijn aan bij wordt',
};

export function guessLanguage(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < 25) return null;
  const counts = Object.entries(stopWords).map(([language, list]) => {
    const set = new Set(list.split(' '));
    return [language, words.filter((w) => set.has(w)).length] as const;
  });
  counts.sort((a, b) => b[1] - a[1]);
  const [best, second] = counts;
  if (!best || !second || best[1] < 0.06 * words.length || best[1] < 1.25 * second[1]) return null;
  return best[0];
}
