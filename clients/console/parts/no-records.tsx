// What a workspace without records shows: how they get in.

export function NoRecords() {
  return (
    <p>
      This workspace has no records yet. Import a file with one JSON object a line:{' '}
      <code>npm run admin -- entity import --workspace ID --file records.ndjson</code>
    </p>
  );
}
