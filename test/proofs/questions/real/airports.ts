// Airports: facts of public record, written from general knowledge; positions and heights are rounded. No licence.
import { table } from './table.ts';

export interface Airport {
  name: string;
  code: string;
  city: string;
  state: string;
  country: string;
  latitude: number;
  longitude: number;
  elevation_ft: number;
  runways: number;
  opened: string;
}

/** name | code | city | state | country | lat | lon | elevation | runways | opened; days are invented. */
const LINES = `
Hartsfield-Jackson|ATL|Atlanta|GA|US|33.6|-84.4|1026|5|1926-09-15
O'Hare|ORD|Chicago|IL|US|42|-87.9|680|8|1944-02-01
Midway|MDW|Chicago|IL|US|41.8|-87.8|620|5|1927-12-12
Los Angeles International|LAX|Los Angeles|CA|US|33.9|-118.4|128|4|1928-10-01
San Francisco International|SFO|San Francisco|CA|US|37.6|-122.4|13|4|1927-05-07
San Diego International|SAN|San Diego|CA|US|32.7|-117.2|17|1|1928-08-16
Imperial County|IPL|Imperial|CA|US|32.8|-115.6|-54|2|1943-06-01
Thermal Jacqueline Cochran|TRM|Thermal|CA|US|33.6|-116.2|-115|2|1942-03-01
Furnace Creek|DTH|Death Valley|CA|US|36.5|-116.9|-210|1|1954-01-01
Seattle-Tacoma|SEA|Seattle|WA|US|47.4|-122.3|433|3|1944-10-31
Spokane International|GEG|Spokane|WA|US|47.6|-117.5|2385|2|1941-07-01
Portland International|PDX|Portland|OR|US|45.6|-122.6|31|3|1940-10-13
Eugene Airport|EUG|Eugene|OR|US|44.1|-123.2|374|2|1943-05-01
Portland Jetport|PWM|Portland|ME|US|43.6|-70.3|76|2|1931-07-01
Bangor International|BGR|Bangor|ME|US|44.8|-68.8|192|1|1927-09-01
Logan|BOS|Boston|MA|US|42.4|-71|20|6|1923-09-08
Manchester Regional|MHT|Manchester|NH|US|42.9|-71.4|266|2|1927-06-01
Indianapolis International|IND|Indianapolis|IN|US|39.7|-86.3|797|3|1931-09-26
Fort Wayne International|FWA|Fort Wayne|IN|US|41|-85.2|814|3|1941-12-06
John Glenn|CMH|Columbus|OH|US|40|-82.9|815|2|1929-07-08
Hopkins|CLE|Cleveland|OH|US|41.4|-81.8|791|3|1925-07-01
Will Rogers|OKC|Oklahoma City|OK|US|35.4|-97.6|1295|4|1911-06-11
Tulsa International|TUL|Tulsa|OK|US|36.2|-95.9|677|3|1928-07-03
Dallas Fort Worth|DFW|Dallas|TX|US|32.9|-97|607|7|1974-01-13
Love Field|DAL|Dallas|TX|US|32.8|-96.9|487|2|1917-10-19
George Bush|IAH|Houston|TX|US|30|-95.3|97|5|1969-06-08
Hobby|HOU|Houston|TX|US|29.6|-95.3|46|4|1927-08-01
Denver International|DEN|Denver|CO|US|39.9|-104.7|5434|6|1995-02-28
Aspen Pitkin|ASE|Aspen|CO|US|39.2|-106.9|7820|1|1946-11-01
Telluride Regional|TEX|Telluride|CO|US|38|-107.9|9070|1|1984-12-01
Salt Lake City International|SLC|Salt Lake City|UT|US|40.8|-112|4227|4|1911-01-01
Phoenix Sky Harbor|PHX|Phoenix|AZ|US|33.4|-112|1135|3|1935-09-02
Daniel K. Inouye|HNL|Honolulu|HI|US|21.3|-157.9|13|4|1927-03-21
Hilo International|ITO|Hilo|HI|US|19.7|-155|38|2|1928-02-11
Kahului|OGG|Kahului|HI|US|20.9|-156.4|54|2|1952-06-24
Ted Stevens|ANC|Anchorage|AK|US|61.2|-150|152|3|1951-12-10
Fairbanks International|FAI|Fairbanks|AK|US|64.8|-147.9|439|3|1951-06-01
Adak|ADK|Adak|AK|US|51.9|-176.6|18|2|1942-09-01
Barrow|BRW|Utqiagvik|AK|US|71.3|-156.8|44|1|1943-01-01
Miami International|MIA|Miami|FL|US|25.8|-80.3|8|4|1928-09-15
Orlando International|MCO|Orlando|FL|US|28.4|-81.3|96|4|1940-08-01
Key West|EYW|Key West|FL|US|24.6|-81.8|3|1|1957-02-01
Louis Armstrong|MSY|New Orleans|LA|US|30|-90.3|4|2|1946-05-01
John F. Kennedy|JFK|New York|NY|US|40.6|-73.8|13|4|1948-07-01
LaGuardia|LGA|New York|NY|US|40.8|-73.9|21|2|1939-10-15
Buffalo Niagara|BUF|Buffalo|NY|US|42.9|-78.7|728|2|1926-11-01
Detroit Metropolitan|DTW|Detroit|MI|US|42.2|-83.4|645|6|1930-02-22
Birmingham-Shuttlesworth|BHM|Birmingham|AL|US|33.6|-86.8|650|2|1931-05-31
Mobile Regional|MOB|Mobile|AL|US|30.7|-88.2|219|2|1941-01-01
Little Rock National|LIT|Little Rock|AR|US|34.7|-92.2|262|3|1931-09-30
Dulles|IAD|Washington|VA|US|38.9|-77.5|313|4|1962-11-17
Heathrow|LHR|London||GB|51.5|-0.5|83|2|1946-03-25
Gatwick|LGW|London||GB|51.1|-0.2|203|2|1958-06-09
London City|LCY|London||GB|51.5|0.1|19|1|1987-10-26
Charles de Gaulle|CDG|Paris||FR|49|2.5|392|4|1974-03-08
Orly|ORY|Paris||FR|48.7|2.4|291|3|1932-01-01
Schiphol|AMS|Amsterdam||NL|52.3|4.8|-11|6|1916-09-16
Rotterdam The Hague|RTM|Rotterdam||NL|52|4.4|-15|1|1956-10-01
Frankfurt am Main|FRA|Frankfurt||DE|50|8.6|364|4|1936-07-08
Franz Josef Strauss|MUC|Munich||DE|48.4|11.8|1487|2|1992-05-17
Berlin Brandenburg|BER|Berlin||DE|52.4|13.5|157|2|2020-10-31
Oslo Gardermoen|OSL|Oslo||NO|60.2|11.1|681|2|1998-10-08
Fiumicino|FCO|Rome||IT|41.8|12.3|15|3|1961-01-15
Malpensa|MXP|Milan||IT|45.6|8.7|768|2|1948-11-21
Keflavik|KEF|Reykjavik||IS|64|-22.6|171|2|1943-03-23
Atyrau|GUW|Atyrau||KZ|47.1|51.8|-72|1|1979-01-01
Ben Gurion|TLV|Tel Aviv||IL|32|34.9|134|3|1936-01-01
Dubai International|DXB|Dubai||AE|25.3|55.4|62|2|1960-09-30
Haneda|HND|Tokyo||JP|35.6|139.8|21|4|1931-08-25
Narita|NRT|Tokyo||JP|35.8|140.4|141|2|1978-05-20
Capital|PEK|Beijing||CN|40.1|116.6|116|3|1958-03-01
Daxing|PKX|Beijing||CN|39.5|116.4|98|4|2019-09-25
Changi|SIN|Singapore||SG|1.4|104|22|3|1981-07-01
El Alto|LPB|La Paz||BO|-16.5|-68.2|13325|2|1974-05-01
Daocheng Yading|DCY|Daocheng||CN|29.3|100.1|14472|1|2013-09-16
Kingsford Smith|SYD|Sydney||AU|-33.9|151.2|21|3|1920-01-01
Cape Town International|CPT|Cape Town||ZA|-34|18.6|151|2|1954-01-01
Guarulhos|GRU|São Paulo||BR|-23.4|-46.5|2459|2|1985-01-20
`;

export const airports: Airport[] = table(LINES, (cell) => ({
  ...{ name: cell(), code: cell(), city: cell(), state: cell(), country: cell() },
  ...{ latitude: Number(cell()), longitude: Number(cell()), elevation_ft: Number(cell()) },
  ...{ runways: Number(cell()), opened: cell() },
}));
