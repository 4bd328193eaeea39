// A token made elsewhere → that token, as long as it lives.
import { requiredSecret, type Desk, type Grant } from "../context.js";

export async function given(desk: Desk): Promise<Grant> {
  return { token: await requiredSecret(desk, "token") };
}
