import { t } from '@lingui/core/macro'
import { Button, type ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from './announce.tsx'
import { copyText } from './copy-text.ts'

interface CopyButtonProps extends ButtonProps {
  text: string
  /** What it copies: "Copy the key". */
  label: string
  onCopied?: () => void
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, label, onCopied, ...props }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  const copy = async () => {
    const copied = await copyText(text)
    setOutcome(copied ? 'copied' : 'refused')
    announce(copied ? t`Copied.` : t`The browser did not let us copy. Select the text and copy it.`)
    if (copied) onCopied?.()
  }
  const words = { copied: t`Copied`, refused: t`Select it and copy` }
  return (
    <Button
      variant="default"
      leftSection={outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      {...props}
      onClick={() => void copy()}
    >
      {outcome === null ? label : words[outcome]}
    </Button>
  )
}
