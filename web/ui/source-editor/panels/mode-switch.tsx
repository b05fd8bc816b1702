import { Toolbar } from 'radix-ui';
import { changeSettings } from '../editor-settings.ts';
import type { EditorMode } from '../extensions/visual-mode.ts';

const modes = { source: 'Source', visual: 'Visual' } satisfies Record<EditorMode, string>;

/** The text as written, or as set. */
export function ModeSwitch({ mode, keys }: { mode: EditorMode; keys: string }) {
  return (
    <Toolbar.ToggleGroup
      type="single"
      aria-label="Show the text as"
      value={mode}
      onValueChange={(value) => value && changeSettings({ mode: value as EditorMode })}
      className="flex rounded-md border border-hairline p-px"
    >
      {(Object.keys(modes) as EditorMode[]).map((name) => (
        <Toolbar.ToggleItem
          key={name}
          value={name}
          title={`${modes[name]} (${keys})`}
          className="min-h-7 rounded-[5px] px-2 hover:text-ink data-[state=on]:bg-wash data-[state=on]:font-medium data-[state=on]:text-ink pointer-coarse:min-h-10"
        >
          {modes[name]}
        </Toolbar.ToggleItem>
      ))}
    </Toolbar.ToggleGroup>
  );
}
