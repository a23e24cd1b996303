export * from './identity.ts'
export { createMailer, type Mail, type Mailer, type MailOptions } from './mail.ts'
export type { CodeOutcome, SecondStep, StartedSecondStep } from './second-step.ts'
export type { SignInOptions } from './sign-in.ts'
