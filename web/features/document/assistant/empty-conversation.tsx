import { useEffect, useState } from 'react';

interface EmptyConversationProps {
  /** Null until known. */
  hasModel: boolean | null;
  onChoose: (question: string) => void;
}

const suggestions = [
  'Make the notation consistent throughout the document',
  'Number the equations that the text refers to',
  'Write a short summary at the beginning',
  'Which steps of the derivation are missing?',
];
/** How many exact edits are shown, one of each kind. */
const editsShown = 5;

/** Examples of questions, put into the box with a click. */
export function EmptyConversation({ hasModel, onChoose }: EmptyConversationProps) {
  const edits = useExactEdits(hasModel === false);
  const examples = hasModel ? suggestions : edits;
  if (hasModel === null) return null;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-graphite">
        {hasModel
          ? 'Ask about the document, or ask for a change. A change comes as a proposal that compiles; you accept the parts you want.'
          : 'No AI model is set up here. These changes are made exactly, and errors are explained and fixed by built-in rules. A change comes as a proposal that compiles; you accept the parts you want.'}
      </p>
      <ul className="grid justify-items-start gap-1.5">
        {examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              onClick={() => onChoose(example)}
              className="min-h-9 rounded-lg border border-hairline bg-page px-3 py-1.5 text-left text-[0.8125rem] transition-colors duration-150 hover:border-edge hover:bg-wash pointer-coarse:min-h-11"
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Examples of changes that work without a model. */
function useExactEdits(isWanted: boolean): readonly string[] {
  const [examples, setExamples] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    void import('#latex/edits/list-exact-edits.ts').then(({ listExactEdits }) => {
      const all = listExactEdits().flatMap((edit) => edit.examples.slice(0, 1));
      if (!isOver) setExamples(all.slice(0, editsShown));
    });
    return () => {
      isOver = true;
    };
  }, [isWanted]);
  return examples;
}
