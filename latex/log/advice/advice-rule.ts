/** What a rule is: the message it knows, and what it says. */
import type { Advice, Complaint } from '../suggest.ts';

export interface AdviceRule {
  pattern: RegExp;
  advise: (match: RegExpExecArray, complaint: Complaint) => Advice;
}

/** The same words whatever the message holds. */
export const say = (explanation: string, suggestion?: string): (() => Advice) => {
  const advice: Advice = suggestion ? { explanation, suggestion } : { explanation };
  return () => advice;
};
