/** The model of its list that the run asks at the moment. */
import type { Model } from "../../core/ports.ts";
import type { World } from "../world.ts";
import type { StepState } from "./step-state.ts";

/** `first` is opened already, for the model that the run asked when its instruction was opened. */
export function createCurrentModel(world: World, state: StepState, first: Model): Model {
  const opened = new Map([[state.run.profile.model, first]]);
  return {
    async ask(request, signal, onProgress) {
      const { model: name } = state.run.profile;
      const model = opened.get(name) ?? (await world.model(state.run));
      opened.set(name, model);
      return model.ask(request, signal, onProgress);
    },
  };
}
