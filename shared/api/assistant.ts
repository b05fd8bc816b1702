/** What the browser and the server say to each other in a document's conversation with the assistant. Owner only. */
import { z } from 'zod';
import { ErrorObject, LogMessage, Warning } from './errors.ts';
import { LatexSave } from './library.ts';
import { maxFeedbackLength } from './limits.ts';

/** Answers of one account in one day (UTC) that changed nothing, and so cost nothing: more is a script. */
export const freeAnswersPerDay = 100;
/** Questions in one list, newest ones. */
export const maxTurnsListed = 200;
/** Of how many changes, the newest, one document keeps the texts; earlier ones keep their words. */
export const keptChanges = 20;

/** A stretch of the text, in UTF-16 units. */
const Stretch = z
  .object({ from: z.number().int().nonnegative(), to: z.number().int().positive() })
  .refine(({ from, to }) => from < to, 'A selection has at least one character.');

/** `explain` is answered in words alone; `fix` is to change the text; `ask` is either, as the words say. */
export const TurnIntent = z.enum(['ask', 'explain', 'fix']);
export type TurnIntent = z.infer<typeof TurnIntent>;

/** POST /api/v1/documents/{id}/conversation */
export const NewTurn = z
  .object({
    request_id: z
      .uuid()
      .meta({ description: 'The sender’s own id: sent twice, it is asked, answered and paid for once.' }),
    intent: TurnIntent.default('ask'),
    message: z
      .string()
      .trim()
      .min(1)
      .max(maxFeedbackLength)
      .refine((text) => !text.includes('\0'), 'The message has a character that cannot be kept (U+0000).'),
    /** The text as the editor has it. */
    latex: LatexSave.shape.latex,
    /** The saved version that the text was made from. */
    base_version: z.number().int().positive(),
    /** Only this may change. */
    selection: Stretch.nullable().default(null),
    /** What is to be explained or fixed, from a compile of this text. */
    log_message: LogMessage.nullable().default(null),
  })
  .refine(
    ({ selection, latex }) => selection === null || selection.to <= latex.length,
    'The selection ends after the text.',
  )
  .refine(
    ({ intent, log_message }) => intent === 'ask' || log_message !== null,
    'Say which message is meant.',
  );
export type NewTurn = z.infer<typeof NewTurn>;

/**
 * `answered`: in words; `changed`: with a change; `failed`: for the reason in `error`; `cancelled`: by the person;
 * `interrupted`: the server went away meanwhile. Only `changed` costs anything.
 */
export const TurnState = z.enum(['running', 'answered', 'changed', 'failed', 'cancelled', 'interrupted']);
export type TurnState = z.infer<typeof TurnState>;

/** A change that has been compiled. It is nowhere but here until the person accepts it. */
export const ProposedChange = z
  .object({
    /** The text that was sent, and the same with the whole change. */
    before: z.string(),
    latex: z.string(),
    /** What was done, in one line. */
    description: z.string(),
    base_version: z.number().int().positive(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'ProposedChange' });
export type ProposedChange = z.infer<typeof ProposedChange>;

/** What became of a change: how many of its parts were taken. Null while nobody has decided. */
export const ChangeDecision = z
  .object({ accepted: z.number().int().nonnegative(), rejected: z.number().int().nonnegative() })
  .meta({ id: 'ChangeDecision' });
export type ChangeDecision = z.infer<typeof ChangeDecision>;

/** A question with what came of it. */
export const Turn = z
  .object({
    request_id: z.uuid(),
    intent: TurnIntent,
    message: z.string(),
    /** The beginning of what was selected. */
    scope: z.string().nullable(),
    log_message: LogMessage.nullable(),
    state: TurnState,
    answer: z.string(),
    error: ErrorObject.nullable(),
    /** What a change did; null when there is none. */
    description: z.string().nullable(),
    decision: ChangeDecision.nullable(),
    /** Of the newest change nobody has decided on. */
    change: ProposedChange.nullable(),
    created_at: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'AssistantTurn' });
export type Turn = z.infer<typeof Turn>;

/** GET /api/v1/documents/{id}/conversation, oldest first. */
export const Conversation = z
  .object({
    turns: z.array(Turn),
    /** Without one, exact edits and fixes by rule are offered. */
    has_model: z.boolean(),
  })
  .meta({ id: 'AssistantConversation' });
export type Conversation = z.infer<typeof Conversation>;

/** What is being done: the model thinks, the change is compiled, it is mended. */
export const TurnStage = z.enum(['thinking', 'proving', 'mending']);
export type TurnStage = z.infer<typeof TurnStage>;

/** The stream of an answer. It begins with what was said before it was followed, and ends with `done`. */
export const TurnEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('stage'), stage: TurnStage }),
    /** What a model that thinks aloud says before its answer; kept nowhere. */
    z.object({ type: z.literal('thinking'), delta: z.string() }),
    z.object({ type: z.literal('text'), delta: z.string() }),
    z.object({ type: z.literal('change'), change: ProposedChange }),
    z.object({ type: z.literal('error'), error: ErrorObject }),
    z.object({ type: z.literal('done'), state: TurnState.exclude(['running']) }),
  ])
  .meta({ id: 'AssistantTurnEvent' });
export type TurnEvent = z.infer<typeof TurnEvent>;
