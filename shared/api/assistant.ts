/** Calls and events of a document's conversation with the assistant. Owner only. */
import { z } from 'zod';
import { ErrorObject, LogMessage, Warning } from './errors.ts';
import { LatexSave } from './library.ts';
import { maxFeedbackLength } from './limits.ts';

/** Most answers per account and day (UTC) that changed nothing, and so cost nothing: more come from a script. */
export const freeAnswersPerDay = 100;
/** Most questions in one list; the newest. */
export const maxTurnsListed = 200;
/** Number of changes, the newest, whose texts a document keeps; of earlier ones only the words. */
export const keptChanges = 20;

/** A range of the text, in UTF-16 units. */
const Stretch = z
  .object({ from: z.number().int().nonnegative(), to: z.number().int().positive() })
  .refine(({ from, to }) => from < to, 'A selection has at least one character.');

/** `explain`: answered in words only; `fix`: changes the text; `ask`: either, depending on the question. */
export const TurnIntent = z.enum(['ask', 'explain', 'fix']);
export type TurnIntent = z.infer<typeof TurnIntent>;

/** POST /api/v1/documents/{id}/conversation */
export const NewTurn = z
  .object({
    request_id: z.uuid().meta({
      description:
        'An id chosen by the sender: a request repeated with it is answered and charged only once.',
    }),
    intent: TurnIntent.default('ask'),
    message: z
      .string()
      .trim()
      .min(1)
      .max(maxFeedbackLength)
      .refine(
        (text) => !text.includes('\0'),
        'The message contains a character that cannot be stored (U+0000).',
      ),
    /** The text in the editor. */
    latex: LatexSave.shape.latex,
    /** The saved version that the text is based on. */
    base_version: z.number().int().positive(),
    /** Only this range may change. */
    selection: Stretch.nullable().default(null),
    /** The message to explain or fix, from a compile of this text. */
    log_message: LogMessage.nullable().default(null),
  })
  .refine(
    ({ selection, latex }) => selection === null || selection.to <= latex.length,
    'The selection ends after the text.',
  )
  .refine(
    ({ intent, log_message }) => intent === 'ask' || log_message !== null,
    'Say which message this is about.',
  );
export type NewTurn = z.infer<typeof NewTurn>;

/**
 * `answered`: in words; `changed`: with a change; `failed`: for the reason in `error`; `cancelled`: by the user;
 * `interrupted`: the server stopped meanwhile. Only `changed` costs credits.
 */
export const TurnState = z.enum(['running', 'answered', 'changed', 'failed', 'cancelled', 'interrupted']);
export type TurnState = z.infer<typeof TurnState>;

/** A change that compiles. It is not in the document until the user accepts it. */
export const ProposedChange = z
  .object({
    /** The text that was sent, and the same text with the whole change. */
    before: z.string(),
    latex: z.string(),
    /** What it does, in one line. */
    description: z.string(),
    base_version: z.number().int().positive(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'ProposedChange' });
export type ProposedChange = z.infer<typeof ProposedChange>;

/** How many parts of a change the user accepted. Null until decided. */
export const ChangeDecision = z
  .object({ accepted: z.number().int().nonnegative(), rejected: z.number().int().nonnegative() })
  .meta({ id: 'ChangeDecision' });
export type ChangeDecision = z.infer<typeof ChangeDecision>;

/** A question and its answer. */
export const Turn = z
  .object({
    request_id: z.uuid(),
    intent: TurnIntent,
    message: z.string(),
    /** The beginning of the selected text. */
    scope: z.string().nullable(),
    log_message: LogMessage.nullable(),
    state: TurnState,
    answer: z.string(),
    error: ErrorObject.nullable(),
    /** What a change does; null without one. */
    description: z.string().nullable(),
    decision: ChangeDecision.nullable(),
    /** Of the newest undecided change. */
    change: ProposedChange.nullable(),
    created_at: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'AssistantTurn' });
export type Turn = z.infer<typeof Turn>;

/** GET /api/v1/documents/{id}/conversation, oldest first. */
export const Conversation = z
  .object({
    turns: z.array(Turn),
    /** Without a model, only exact edits and fixes by rule are offered. */
    has_model: z.boolean(),
  })
  .meta({ id: 'AssistantConversation' });
export type Conversation = z.infer<typeof Conversation>;

/** The current step: the model thinks, the change is compiled, or it is repaired. */
export const TurnStage = z.enum(['thinking', 'proving', 'mending']);
export type TurnStage = z.infer<typeof TurnStage>;

/** The stream of an answer. It begins with all earlier events, and ends with `done`. */
export const TurnEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('stage'), stage: TurnStage }),
    /** A model's reasoning before its answer; never stored. */
    z.object({ type: z.literal('thinking'), delta: z.string() }),
    z.object({ type: z.literal('text'), delta: z.string() }),
    z.object({ type: z.literal('change'), change: ProposedChange }),
    z.object({ type: z.literal('error'), error: ErrorObject }),
    z.object({ type: z.literal('done'), state: TurnState.exclude(['running']) }),
  ])
  .meta({ id: 'AssistantTurnEvent' });
export type TurnEvent = z.infer<typeof TurnEvent>;
