export { createWebhookSender, type SenderDeps, type WebhookSender } from './sender.ts'
export { type WebhookSettings, webhookDefaults } from './settings.ts'
