export function meta() {
  return [{ title: 'Convert · Inkproof' }];
}

export default function Convert() {
  return <p>convert</p>;
}
