export * from './identity.ts'
export type { SignInOptions } from './sign-in.ts'
