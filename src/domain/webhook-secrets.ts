import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** A secret that signs what is sent to an endpoint, as Standard Webhooks 1.0 writes it: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Where the secret of an endpoint is kept, and so was it sealed: the present one and the one before. */
export const placeOfWebhook = (id: string) => `webhooks/${id}`
