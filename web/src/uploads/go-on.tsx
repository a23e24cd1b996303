import { useLingui } from '@lingui/react/macro'
import { FileButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { showWhyNot } from '../design/toast.tsx'
import { resumeUpload, resumeWith } from './run-uploads.ts'
import type { Upload } from './upload-list.ts'

interface GoOnProps {
  upload: Pick<Upload, 'key' | 'name'>
  /** Draws the button. */
  children: (goOn: () => void) => ReactNode
}

/** Goes on at once, or asks for a file that this browser did not keep. */
export function GoOn({ upload: { key, name }, children }: GoOnProps) {
  const { t } = useLingui()
  const choose = useRef<() => void>(() => {})
  const goOn = async () => {
    if (!(await resumeUpload(key))) choose.current()
  }
  return (
    <FileButton
      onChange={(file) => {
        if (!file) return
        void resumeWith(key, file).then((same) => {
          if (!same) showWhyNot(t`This is another file. Choose ${name} to go on.`)
        })
      }}
    >
      {({ onClick }) => {
        choose.current = onClick
        return children(() => void goOn())
      }}
    </FileButton>
  )
}
