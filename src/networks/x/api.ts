import { apiClient } from '../kit/api.ts'

/** Paths and parameters: the vendor's OpenAPI 2.167, https://api.x.com/2/openapi.json (read 2026-11-21). */
export const call = apiClient({ base: ({ endpoint }) => endpoint('api') })
