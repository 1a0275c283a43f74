/** A PDF with one line of text. */
export const pdfOf = (text: string): string => {
  const stream = `BT /F1 24 Tf 20 20 Td (${text}) Tj ET`;
  return (
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 ' +
    '0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 50]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 ' +
    `R>>endobj\n4 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj\n5 0 ` +
    'obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>'
  );
};
