// Films: titles, years, directors and lengths are facts, written from general knowledge; scores, votes, budgets and days
// are invented. No licence.
import { listIn, numberIn, table } from './table.ts';

export interface Film {
  name: string;
  director: string;
  year: number;
  rating: string;
  minutes: number;
  imdb_score?: number;
  budget_musd: number;
  gross_musd: number;
  genres: string[];
  country: string;
  release_date: string;
}

/** title | director | year | rating | minutes | score | budget | gross | genres | country | day */
const LINES = `
The Godfather|Francis Ford Coppola|1972|R|175|9.2|6|250|crime,drama|USA|1972-03-24
The Godfather Part II|Francis Ford Coppola|1974|R|202|9|13|93|crime,drama|USA|1974-12-20
Apocalypse Now|Francis Ford Coppola|1979|R|147|8.4|31|105|war,drama|USA|1979-08-15
Jaws|Steven Spielberg|1975|PG|124|8.1|9|477|thriller,adventure|USA|1975-06-20
E.T.|Steven Spielberg|1982|PG|115|7.9|10.5|793|family,science fiction|USA|1982-06-11
Jurassic Park|Steven Spielberg|1993|PG-13|127|8.2|63|1034|adventure,science fiction|USA|1993-06-11
Schindler's List|Steven Spielberg|1993|R|195|9|22|322|drama,history|USA|1993-12-15
Saving Private Ryan|Steven Spielberg|1998|R|169|8.6|70|482|war,drama|USA|1998-07-24
Psycho|Alfred Hitchcock|1960|R|109|8.5|0.8|50|horror,thriller|USA|1960-09-08
Vertigo|Alfred Hitchcock|1958|PG|128|8.3|2.5|7.3|thriller,romance|USA|1958-05-28
Rear Window|Alfred Hitchcock|1954|PG|112|8.5|1|37|thriller|USA|1954-09-01
North by Northwest|Alfred Hitchcock|1959|Not Rated|136|8.3|4.3|9.8|thriller,adventure|USA|1959-07-01
The Birds|Alfred Hitchcock|1963|PG-13|119|7.6|3.3|11|horror|USA|1963-03-28
Casablanca|Michael Curtiz|1942|PG|102|8.5|0.9|4.2|drama,romance|USA|1943-01-23
Citizen Kane|Orson Welles|1941|PG|119|8.3|0.8|1.6|drama|USA|1941-09-05
Touch of Evil|Orson Welles|1958|PG-13|95|7.9|0.8|2.2|crime,thriller|USA|1958-04-23
2001: A Space Odyssey|Stanley Kubrick|1968|G|149|8.3|10.5|146|science fiction|United Kingdom|1968-04-03
The Shining|Stanley Kubrick|1980|R|146|8.4|19|47|horror|United Kingdom|1980-05-23
A Clockwork Orange|Stanley Kubrick|1971|R|136|8.2|1.3|27|crime,science fiction|United Kingdom|1971-12-19
Full Metal Jacket|Stanley Kubrick|1987|R|116|8.2|17|46|war,drama|United Kingdom|1987-06-26
Barry Lyndon|Stanley Kubrick|1975|PG|185|8.1|11|20|drama,history|United Kingdom|1975-12-18
Star Wars|George Lucas|1977|PG|121|8.6|11|775|adventure,science fiction|USA|1977-05-25
American Graffiti|George Lucas|1973|PG|110|7.4|0.8|140|comedy|USA|1973-08-11
Alien|Ridley Scott|1979|R|117|8.5|11|104|horror,science fiction|United Kingdom|1979-05-25
Blade Runner|Ridley Scott|1982|R|117|8.1|30|41|science fiction|USA|1982-06-25
Gladiator|Ridley Scott|2000|R|155|8.5|103|465|adventure,history|USA|2000-05-05
The Martian|Ridley Scott|2015|PG-13|144|8|108|630|science fiction|USA|2015-10-02
Pulp Fiction|Quentin Tarantino|1994|R|154|8.9|8|213|crime|USA|1994-10-14
Reservoir Dogs|Quentin Tarantino|1992|R|99|8.3|1.2|2.9|crime|USA|1992-10-09
Kill Bill|Quentin Tarantino|2003|R|111|8.2|30|180|action|USA|2003-10-10
Django Unchained|Quentin Tarantino|2012|R|165|8.4|100|426|western,drama|USA|2012-12-25
Unforgiven|Clint Eastwood|1992|R|130|8.2|14|159|western|USA|1992-08-07
Million Dollar Baby|Clint Eastwood|2004|PG-13|132|8.1|30|217|drama|USA|2004-12-15
Gran Torino|Clint Eastwood|2008|R|116|8.1|33|270|drama|USA|2008-12-12
Taxi Driver|Martin Scorsese|1976|R|114|8.2|1.9|28|crime,drama|USA|1976-02-08
Raging Bull|Martin Scorsese|1980|R|129|8.1|18|23|drama,sport|USA|1980-11-14
Goodfellas|Martin Scorsese|1990|R|145|8.7|25|47|crime|USA|1990-09-19
The Departed|Martin Scorsese|2006|R|151|8.5|90|291|crime,thriller|USA|2006-10-06
Hugo|Martin Scorsese|2011|PG|126|7.5|170|186|family|USA|2011-11-23
Rocky|John G. Avildsen|1976|PG|120|8.1|1|225|drama,sport|USA|1976-11-21
Annie Hall|Woody Allen|1977|PG|93|8|4|44|comedy,romance|USA|1977-04-20
Manhattan|Woody Allen|1979|R|96|7.8|9|40|comedy,romance|USA|1979-04-25
The Terminator|James Cameron|1984|R|107|8.1|6.4|78|action,science fiction|USA|1984-10-26
Aliens|James Cameron|1986|R|137|8.4|18.5|183|action,science fiction|USA|1986-07-18
Titanic|James Cameron|1997|PG-13|194|7.9|200|2264|drama,romance|USA|1997-12-19
Avatar|James Cameron|2009|PG-13|162|7.9|237|2923|action,science fiction|USA|2009-12-18
Back to the Future|Robert Zemeckis|1985|PG|116|8.5|19|381|comedy,science fiction|USA|1985-07-03
Forrest Gump|Robert Zemeckis|1994|PG-13|142|8.8|55|678|drama,romance|USA|1994-07-06
Cast Away|Robert Zemeckis|2000|PG-13|143|7.8|90|430|drama|USA|2000-12-22
The Silence of the Lambs|Jonathan Demme|1991|R|118|8.6|19|273|crime,thriller|USA|1991-02-14
Se7en|David Fincher|1995|R|127|8.6|33|327|crime,thriller|USA|1995-09-22
Fight Club|David Fincher|1999|R|139|8.8|63|101|drama|USA|1999-10-15
Zodiac|David Fincher|2007|R|157|7.7|65|85|crime|USA|2007-03-02
The Social Network|David Fincher|2010|PG-13|120|7.8|40|225|drama|USA|2010-10-01
Memento|Christopher Nolan|2000|R|113|8.4|9|40|thriller|USA|2001-05-25
The Dark Knight|Christopher Nolan|2008|PG-13|152|9|185|1006|action,crime|USA|2008-07-18
Inception|Christopher Nolan|2010|PG-13|148|8.8|160|839|action,science fiction|USA|2010-07-16
Interstellar|Christopher Nolan|2014|PG-13|169|8.7|165|731|science fiction,drama|USA|2014-11-07
Dunkirk|Christopher Nolan|2017|PG-13|106|7.8|100|530|war|United Kingdom|2017-07-21
The Matrix|Lana Wachowski|1999|R|136|8.7|63|467|action,science fiction|USA|1999-03-31
Toy Story|John Lasseter|1995|G|81|8.3|30|394|animation,family|USA|1995-11-22
A Bug's Life|John Lasseter|1998|G|95|7.2|120|363|animation,family|USA|1998-11-25
Finding Nemo|Andrew Stanton|2003|G|100|8.2|94|941|animation,family|USA|2003-05-30
WALL-E|Andrew Stanton|2008|G|98|8.4|180|527|animation,family|USA|2008-06-27
Up|Pete Docter|2009|PG|96|8.3|175|735|animation,family|USA|2009-05-29
Inside Out|Pete Docter|2015|PG|95|8.1|175|859|animation,family|USA|2015-06-19
The Lion King|Roger Allers|1994|G|88|8.5|45|968|animation,family|USA|1994-06-24
Fargo|Joel Coen|1996|R|98|8.1|7|60|crime,thriller|USA|1996-04-05
The Big Lebowski|Joel Coen|1998|R|117|8.1|15|48|comedy,crime|USA|1998-03-06
True Grit|Joel Coen|2010|PG-13|110|7.6|38|252|western|USA|2010-12-22
Once Upon a Time in the West|Sergio Leone|1968|PG-13|165|8.5|5|5.3|western|Italy|1968-12-21
The Good, the Bad and the Ugly|Sergio Leone|1966|R|161|8.8|1.2|25|western|Italy|1966-12-23
La Dolce Vita|Federico Fellini|1960|Not Rated|174|8|0.6|19|comedy,drama|Italy|1960-02-05
8½|Federico Fellini|1963|Not Rated|138|8|1.6|3.2|drama|Italy|1963-02-14
Cinema Paradiso|Giuseppe Tornatore|1988|R|155|8.5|5|36|drama,romance|Italy|1988-11-17
Life Is Beautiful|Roberto Benigni|1997|PG-13|116|8.6|20|230|comedy,drama|Italy|1997-12-20
Amélie|Jean-Pierre Jeunet|2001|R|122|8.3|10|174|comedy,romance|France|2001-04-25
Breathless|Jean-Luc Godard|1960|Not Rated|90|7.7|0.1|2.1|crime,drama|France|1960-03-16
The 400 Blows|François Truffaut|1959|Not Rated|99|8.1|0.1|1.5|drama|France|1959-05-04
七人の侍|黒澤明|1954|Not Rated|207|8.6|0.5|2.3|action,drama|Japan|1954-04-26
羅生門|黒澤明|1950|Not Rated|88|8.2|0.3|1.1|crime,drama|Japan|1950-08-25
千と千尋の神隠し|宮崎駿|2001|PG|124|8.6|19|396|animation,family|Japan|2001-07-20
となりのトトロ|宮崎駿|1988|G|86|8.1|3.7|41|animation,family|Japan|1988-04-16
卧虎藏龙|李安|2000|PG-13|120|7.9|17|214|action,romance|China|2000-07-08
霸王别姬|陈凯歌|1993|R|171|8.1|4|5.2|drama,romance|China|1993-01-01
기생충|봉준호|2019|R|132|8.5|11|263|comedy,thriller|South Korea|2019-05-30
मदर इंडिया|महबूब ख़ान|1957|Not Rated|172|7.8|0.6|8|drama|India|1957-10-25
लगान|आशुतोष गोवारिकर|2001|PG|224|8.1|5|13|drama,sport|India|2001-06-15
องค์บาก|ปรัชญา ปิ่นแก้ว|2003|R|108|7.1|1.1|20|action|Thailand|2003-01-21
باب الحديد|يوسف شاهين|1958|Not Rated|77||0.1|0.4|drama,crime|Egypt|1958-01-20
Nosferatu|F. W. Murnau|1922|Not Rated|94||0.1|0.2|horror|Germany|1922-03-04
Metropolis|Fritz Lang|1927|Not Rated|153|8.3|1.3|1.2|science fiction|Germany|1927-03-13
Das Boot|Wolfgang Petersen|1981|R|149|8.4|14|85|war,drama|Germany|1981-09-17
Run Lola Run|Tom Tykwer|1998|R|81|7.6|1.5|23|action,thriller|Germany|1998-08-20
Good Bye Lenin|Wolfgang Becker|2003|R|121|7.7|4.8|80|comedy,drama|Germany|2003-02-13
`;

export const films: Film[] = table(LINES, (cell) => {
  const [name, director, year, rating, minutes] = [cell(), cell(), Number(cell()), cell(), Number(cell())];
  const imdb_score = numberIn(cell());
  return {
    ...{ name, director, year, rating, minutes },
    ...(imdb_score !== undefined && { imdb_score }),
    ...{ budget_musd: Number(cell()), gross_musd: Number(cell()) },
    ...{ genres: listIn(cell()), country: cell(), release_date: cell() },
  };
});
