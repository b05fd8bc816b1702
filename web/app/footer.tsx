/** Contact, terms and privacy join with their pages. */
export function Footer() {
  return (
    <footer className="border-t border-hairline px-4 py-6 text-[0.8125rem] text-graphite sm:px-6">
      <p>© {new Date().getFullYear()} Inkproof</p>
    </footer>
  );
}
