// Finds the action that the first operand of a command names.
import { didYouMean } from "../diagnostic.js";
import { wrongUsage } from "../failure.js";

export function actionNamed<Action extends string>(
  command: string,
  word: string | undefined,
  actions: readonly Action[],
  /** Words that users try here, and the help for each. */
  elsewhere?: ReadonlyMap<string, string>,
): Action {
  const action = actions.find((each) => each === word);
  if (action !== undefined) return action;
  throw wrongUsage(
    word ? `Unknown action "${word}" for "lintel ${command}".` : "The action is missing.",
    elsewhere?.get(word ?? "") ??
      didYouMean(word ?? "", actions) ??
      `Actions: ${actions.join(", ")}.`,
  );
}
