import { useEffect, useState } from 'react'

const QUICK_MS = 200

/** Whether what is waited for takes longer than a moment: most is there before anything is shown for it. */
export function useSlow(): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(true), QUICK_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return slow
}
