import { apiClient, bearer } from '../kit/api.ts'

/** Headers that every call needs: https://learn.microsoft.com/en-us/linkedin/marketing/versioning (read 2026-11-21). */
export const call = apiClient({
  base: ({ endpoint }) => endpoint('api'),
  headers: (caller) => ({
    authorization: bearer(caller),
    'linkedin-version': caller.setting('API_VERSION'),
    'x-restli-protocol-version': '2.0.0',
  }),
})
