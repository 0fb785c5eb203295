// Books: titles, authors and years are facts, written from general knowledge; prices, pages, stock and days are
// invented. No licence.
import { table } from './table.ts';

export interface Book {
  name: string;
  author: string;
  language: string;
  published: number;
  pages: number;
  price_eur: number;
  discount: number;
  in_stock: boolean;
  copies: number;
  format: string;
  acquired: string;
}

/** title | author | language | year | pages | price | discount (0 to 1) | in stock | copies | format | acquired */
const LINES = `
Pride and Prejudice|Jane Austen|English|1813|432|8.99|0|yes|12|paperback|2024-01-15
Emma|Jane Austen|English|1815|474|9.5|0.1|yes|4|paperback|2024-03-02
Great Expectations|Charles Dickens|English|1861|544|10.2|0.1|yes|7|hardcover|2023-11-20
A Tale of Two Cities|Charles Dickens|English|1859|448|7.8|0|no|0|paperback|2025-02-11
Moby-Dick|Herman Melville|English|1851|635|12.4|0.25|yes|3|hardcover|2024-06-30
The Adventures of Tom Sawyer|Mark Twain|English|1876|274|6.5|0|yes|9|paperback|2025-05-05
Dracula|Bram Stoker|English|1897|418|7.2|0.05|yes|6|e-book|2026-03-14
Frankenstein|Mary Shelley|English|1818|280|6.9|0|yes|11|e-book|2026-02-28
Jane Eyre|Charlotte Brontë|English|1847|532|9.1|0|no|0|hardcover|2023-09-09
Wuthering Heights|Emily Brontë|English|1847|416|8.3|0.1|yes|2|paperback|2026-05-01
Ulysses|James Joyce|English|1922|730|15.9|0.3|yes|1|hardcover|2024-06-16
Dubliners|James Joyce|English|1914|207|5.9|0|yes|5|paperback|2026-05-20
To the Lighthouse|Virginia Woolf|English|1927|209|8.1|0|no|0|paperback|2026-04-11
Les Misérables|Victor Hugo|French|1862|1463|19.9|0.2|yes|2|hardcover|2025-12-24
Notre-Dame de Paris|Victor Hugo|French|1831|940|14.5|0|yes|3|paperback|2025-07-14
Madame Bovary|Gustave Flaubert|French|1857|329|7.4|0.15|yes|8|paperback|2024-10-02
Germinal|Émile Zola|French|1885|592|9.9|0|no|0|e-book|2023-05-01
Le Petit Prince|Antoine de Saint-Exupéry|French|1943|96|6.2|0|yes|20|hardcover|2026-06-01
L'Étranger|Albert Camus|French|1942|159|6.8|0.05|yes|14|paperback|2026-06-10
La Peste|Albert Camus|French|1947|308|7.9|0|yes|6|paperback|2025-03-16
Faust|Johann Wolfgang von Goethe|German|1808|464|5.8|0|yes|10|paperback|2024-08-28
Die Leiden des jungen Werthers|Johann Wolfgang von Goethe|German|1774|158|3.6|0|yes|13|e-book|2025-08-28
Die Verwandlung|Franz Kafka|German|1915|72|2.4|0|yes|25|paperback|2025-07-03
Der Prozess|Franz Kafka|German|1925|272|6.4|0.1|no|0|hardcover|2026-01-31
Buddenbrooks|Thomas Mann|German|1901|759|14|0.2|yes|4|hardcover|2024-06-06
Der Zauberberg|Thomas Mann|German|1924|1120|18|0.25|yes|2|hardcover|2023-06-06
Don Quijote de la Mancha|Miguel de Cervantes|Spanish|1605|1376|21.5|0.3|yes|3|hardcover|2025-04-23
Cien años de soledad|Gabriel García Márquez|Spanish|1967|471|11.9|0|yes|9|paperback|2026-03-06
El amor en los tiempos del cólera|Gabriel García Márquez|Spanish|1985|464|11.5|0.1|no|0|paperback|2026-05-09
Rayuela|Julio Cortázar|Spanish|1963|736|13.2|0|yes|1|paperback|2025-06-28
Война и мир|Лев Толстой|Russian|1869|1274|22|0.2|yes|5|hardcover|2024-09-09
Анна Каренина|Лев Толстой|Russian|1878|864|16|0.1|yes|3|hardcover|2025-09-09
Преступление и наказание|Фёдор Достоевский|Russian|1866|672|12|0|yes|6|paperback|2026-02-09
红楼梦|曹雪芹|Chinese|1791|1600|28|0.4|yes|2|hardcover|2025-01-29
西游记|吴承恩|Chinese|1592|1200|24|0.3|yes|4|hardcover|2025-02-12
三国演义|罗贯中|Chinese|1522|1100|23.5|0|no|0|paperback|2026-02-17
阿Q正传|鲁迅|Chinese|1921|80|4.5|0|yes|7|e-book|2026-05-04
吾輩は猫である|夏目漱石|Japanese|1905|544|8.8|0.1|yes|5|paperback|2024-02-22
こころ|夏目漱石|Japanese|1914|378|6.6|0|yes|8|paperback|2024-12-09
雪国|川端康成|Japanese|1937|192|5.2|0|yes|6|e-book|2026-01-08
源氏物語|紫式部|Japanese|1008|1350|32|0.25|no|0|hardcover|2023-12-31
गोदान|प्रेमचंद|Hindi|1936|368|4.9|0|yes|11|paperback|2025-10-31
गबन|प्रेमचंद|Hindi|1931|320|4.4|0.1|yes|3|e-book|2025-11-30
ข้างหลังภาพ|ศรีบูรพา|Thai|1937|160|5.5|0|yes|4|paperback|2026-04-13
สี่แผ่นดิน|คึกฤทธิ์ ปราโมช|Thai|1953|1300|20|0.15|no|0|hardcover|2025-04-20
ألف ليلة وليلة|مجهول|Arabic|1775|1180|26|0.35|yes|3|hardcover|2024-04-09
أولاد حارتنا|نجيب محفوظ|Arabic|1959|552|10.5|0|yes|5|paperback|2025-12-11
الأيام|طه حسين|Arabic|1929|270|6|0.05|yes|2|e-book|2026-06-14
토지|박경리|Korean|1969|1500|30|0.5|yes|1|hardcover|2026-05-31
`;

export const books: Book[] = table(LINES, (cell) => ({
  ...{ name: cell(), author: cell(), language: cell(), published: Number(cell()), pages: Number(cell()) },
  ...{ price_eur: Number(cell()), discount: Number(cell()), in_stock: cell() === 'yes' },
  ...{ copies: Number(cell()), format: cell(), acquired: cell() },
}));
