import { Toolbar } from 'radix-ui';
import { changeSettings } from '../editor-settings.ts';
import type { EditorMode } from '../visual-mode.ts';

const modes = { source: 'Source', visual: 'Visual' } satisfies Record<EditorMode, string>;

/** The text as source, or typeset. */
export function ModeSwitch({ mode, keys }: { mode: EditorMode; keys: string }) {
  return (
    <fieldset aria-label="Show the text as" className="flex rounded-md border border-hairline p-px">
      {(Object.keys(modes) as EditorMode[]).map((name) => (
        <Toolbar.Button
          key={name}
          aria-pressed={name === mode}
          title={`${modes[name]} (${keys})`}
          onClick={() => changeSettings({ mode: name })}
          className="min-h-7 rounded-[5px] px-2 hover:text-ink aria-pressed:bg-wash aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-11"
        >
          {modes[name]}
        </Toolbar.Button>
      ))}
    </fieldset>
  );
}
