import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { setTitleBrand } from '../design/page-title.tsx'
import { BrandName } from '../frame/brand-face.tsx'
import { useAllBrands, useSocialSet } from '../frame/social-sets.ts'

/** Screens that show one brand. */
const OF_A_BRAND = ['/scheduling/', '/drafts', '/media', '/connections']

/** The brand that a screen shows; undefined on those that show none, or all. */
function useBrandShown() {
  const { socialSet } = useSocialSet()
  const { pathname } = useLocation()
  const all = useAllBrands()
  return !all && OF_A_BRAND.some((path) => pathname.startsWith(path)) ? socialSet : undefined
}

/** Above a screen that shows one brand: which one it is; above one over all of them, that it is. */
export function BrandHead() {
  const brand = useBrandShown()
  const all = useAllBrands()
  const { pathname } = useLocation()
  if (all && OF_A_BRAND.some((path) => pathname.startsWith(path))) return <strong>{t`All brands`}</strong>
  return brand && <BrandName brand={brand} />
}

/** Keeps the brand that is shown in the title of the window: "Café Müller · December 2026". */
export function BrandInTitle() {
  const name = useBrandShown()?.name ?? null
  useEffect(() => {
    setTitleBrand(name)
    return () => setTitleBrand(null)
  }, [name])
  return null
}
