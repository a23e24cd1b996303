import { Alert } from '@mantine/core'
import { ApiError } from '../api/api-error.ts'
import { Failure } from '../design/confirm-action.tsx'

/** Why a form was not taken. What the person can put right needs no number of a request. */
export function Refused({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return <Failure error={error} />
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  )
}
