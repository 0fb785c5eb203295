// Countries: facts of public record, written from general knowledge; numbers are rounded. Facts have no licence.
import { listIn, table } from './table.ts';

export interface Country {
  name: string;
  native_name: string;
  code: string;
  region: string;
  capital: string;
  area_km2: number;
  population: number;
  latitude: number;
  longitude: number;
  landlocked: boolean;
  un_member_since: number;
  languages: string[];
  borders: string[];
}

/** name | native | code | region | capital | area | population | lat | lon | landlocked | UN since | languages | borders */
const LINES = `
Germany|Deutschland|DE|Europe|Berlin|357114|83200000|51|9|no|1973|German|AT,BE,CZ,DK,FR,LU,NL,PL,CH
France|France|FR|Europe|Paris|551695|67390000|46|2|no|1945|French|BE,DE,IT,LU,ES,CH
Italy|Italia|IT|Europe|Rome|301336|59550000|42|12|no|1955|Italian|AT,FR,SI,CH
Spain|España|ES|Europe|Madrid|505992|47350000|40|-4|no|1955|Spanish|FR,PT,MA
Portugal|Portugal|PT|Europe|Lisbon|92090|10310000|39|-8|no|1955|Portuguese|ES
Ireland|Éire|IE|Europe|Dublin|70273|4990000|53|-8|no|1955|English,Irish|GB
United Kingdom|United Kingdom|GB|Europe|London|242900|67220000|54|-2|no|1945|English|IE
Norway|Norge|NO|Europe|Oslo|323802|5380000|62|10|no|1945|Norwegian|FI,SE,RU
Sweden|Sverige|SE|Europe|Stockholm|450295|10350000|62|15|no|1946|Swedish|FI,NO
Finland|Suomi|FI|Europe|Helsinki|338424|5530000|64|26|no|1955|Finnish,Swedish|NO,SE,RU
Denmark|Danmark|DK|Europe|Copenhagen|43094|5830000|56|10|no|1945|Danish|DE
Iceland|Ísland|IS|Europe|Reykjavik|103000|366000|65|-18|no|1946|Icelandic|
Belgium|België|BE|Europe|Brussels|30528|11560000|51|4|no|1945|Dutch,French,German|FR,DE,LU,NL
Netherlands|Nederland|NL|Europe|Amsterdam|41850|16660000|53|6|no|1945|Dutch|BE,DE
Luxembourg|Luxembourg|LU|Europe|Luxembourg City|2586|632000|50|6|yes|1945|French,German,Luxembourgish|BE,FR,DE
Switzerland|Schweiz|CH|Europe|Bern|41284|8650000|47|8|yes|2002|German,French,Italian,Romansh|AT,FR,IT,DE,LI
Austria|Österreich|AT|Europe|Vienna|83871|8920000|47|13|yes|1955|German|CZ,DE,HU,IT,LI,SK,SI,CH
Liechtenstein|Liechtenstein|LI|Europe|Vaduz|160|38100|47|9|yes|1990|German|AT,CH
Poland|Polska|PL|Europe|Warsaw|312679|37950000|52|20|no|1945|Polish|CZ,DE,LT,SK,UA
Czechia|Česko|CZ|Europe|Prague|78865|10700000|50|15|yes|1993|Czech|AT,DE,PL,SK
Slovakia|Slovensko|SK|Europe|Bratislava|49037|5460000|49|20|yes|1993|Slovak|AT,CZ,HU,PL,UA
Hungary|Magyarország|HU|Europe|Budapest|93028|9750000|47|20|yes|1955|Hungarian|AT,RO,SK,SI,UA
Slovenia|Slovenija|SI|Europe|Ljubljana|20273|2100000|46|15|no|1992|Slovene|AT,HU,IT
Romania|România|RO|Europe|Bucharest|238391|19290000|46|25|no|1955|Romanian|BG,HU,UA
Bulgaria|България|BG|Europe|Sofia|110879|6930000|43|25|no|1955|Bulgarian|GR,RO,TR
Greece|Ελλάδα|GR|Europe|Athens|131990|10720000|39|22|no|1945|Greek|BG,TR
Ukraine|Україна|UA|Europe|Kyiv|603500|44130000|49|32|no|1945|Ukrainian|HU,PL,RO,RU,SK
Lithuania|Lietuva|LT|Europe|Vilnius|65300|2790000|56|24|no|1991|Lithuanian|PL,RU
Malta|Malta|MT|Europe|Valletta|316|525000|36|14|no|1964|Maltese,English|
Monaco|Monaco|MC|Europe|Monaco|2|39200|44|7|no|1993|French|FR
Russia|Россия|RU|Europe|Moscow|17098242|144100000|60|100|no|1945|Russian|CN,FI,GE,KZ,LT,MN,NO,PL,UA
Turkey|Türkiye|TR|Asia|Ankara|783562|84340000|39|35|no|1945|Turkish|BG,GE,GR
Georgia|საქართველო|GE|Asia|Tbilisi|69700|3710000|42|44|no|1992|Georgian|RU,TR
Kazakhstan|Қазақстан|KZ|Asia|Astana|2724900|18750000|48|68|yes|1992|Kazakh,Russian|CN,RU
Mongolia|Монгол улс|MN|Asia|Ulan Bator|1564110|3280000|46|105|yes|1961|Mongolian|CN,RU
China|中国|CN|Asia|Beijing|9706961|1402110000|35|105|no|1945|Chinese|IN,KZ,LA,MN,NP,PK,RU,VN
Japan|日本|JP|Asia|Tokyo|377930|125840000|36|138|no|1956|Japanese|
South Korea|대한민국|KR|Asia|Seoul|100210|51780000|37|128|no|1991|Korean|
India|भारत|IN|Asia|New Delhi|3287590|1380000000|20|77|no|1945|Hindi,English|CN,NP,PK
Pakistan|پاکستان|PK|Asia|Islamabad|881912|220890000|30|70|no|1947|Urdu,English|CN,IN
Nepal|नेपाल|NP|Asia|Kathmandu|147181|29140000|28|84|yes|1955|Nepali|CN,IN
Thailand|ประเทศไทย|TH|Asia|Bangkok|513120|69800000|15|100|no|1946|Thai|LA,MY
Laos|ສປປລາວ|LA|Asia|Vientiane|236800|7280000|18|105|yes|1955|Lao|CN,TH,VN
Vietnam|Việt Nam|VN|Asia|Hanoi|331212|97340000|16|108|no|1977|Vietnamese|CN,LA
Malaysia|Malaysia|MY|Asia|Kuala Lumpur|330803|32370000|2|113|no|1957|Malay,English|ID,TH
Singapore|Singapore|SG|Asia|Singapore|710|5690000|1|104|no|1965|English,Chinese,Malay|
Indonesia|Indonesia|ID|Asia|Jakarta|1904569|273520000|-5|120|no|1950|Indonesian|MY
Saudi Arabia|العربية السعودية|SA|Asia|Riyadh|2149690|34810000|25|45|no|1945|Arabic|OM
Oman|عمان|OM|Asia|Muscat|309500|5110000|21|57|no|1971|Arabic|SA
Israel|ישראל|IL|Asia|Jerusalem|20770|9220000|31|35|no|1949|Hebrew,Arabic|EG
Egypt|مصر|EG|Africa|Cairo|1002450|102330000|27|30|no|1945|Arabic|IL,LY
Libya|ليبيا|LY|Africa|Tripoli|1759540|6870000|25|17|no|1955|Arabic|DZ,EG,TD,NE,TN
Tunisia|تونس|TN|Africa|Tunis|163610|11820000|34|9|no|1956|Arabic|DZ,LY
Algeria|الجزائر|DZ|Africa|Algiers|2381741|44700000|28|3|no|1962|Arabic|LY,MA,NE,TN
Morocco|المغرب|MA|Africa|Rabat|446550|36910000|32|-5|no|1956|Arabic|DZ,ES
Niger|Niger|NE|Africa|Niamey|1267000|24210000|16|8|yes|1960|French|DZ,LY,NG,TD
Nigeria|Nigeria|NG|Africa|Abuja|923768|206140000|10|8|no|1960|English|NE,TD
Chad|تشاد|TD|Africa|N'Djamena|1284000|16430000|15|19|yes|1960|French,Arabic|LY,NE,NG
Ethiopia|ኢትዮጵያ|ET|Africa|Addis Ababa|1104300|114960000|8|38|yes|1945|Amharic|KE
Kenya|Kenya|KE|Africa|Nairobi|580367|53770000|1|38|no|1963|English,Swahili|ET,TZ,UG
Tanzania|Tanzania|TZ|Africa|Dodoma|945087|59730000|-6|35|no|1961|English,Swahili|KE,UG,RW,ZM
Uganda|Uganda|UG|Africa|Kampala|241550|45740000|1|32|yes|1962|English,Swahili|KE,TZ,RW
Rwanda|Rwanda|RW|Africa|Kigali|26338|12950000|-2|30|yes|1962|Kinyarwanda,French,English|TZ,UG
Zambia|Zambia|ZM|Africa|Lusaka|752612|18380000|-15|30|yes|1964|English|BW,NA,TZ,ZW
Zimbabwe|Zimbabwe|ZW|Africa|Harare|390757|14860000|-20|30|yes|1980|English|BW,ZA,ZM
Botswana|Botswana|BW|Africa|Gaborone|582000|2350000|-22|24|yes|1966|English|NA,ZA,ZM,ZW
Namibia|Namibia|NA|Africa|Windhoek|825615|2540000|-22|17|no|1990|English|BW,ZA,ZM
South Africa|South Africa|ZA|Africa|Pretoria|1221037|59310000|-29|24|no|1945|English,Afrikaans,Zulu|BW,LS,NA,ZW
Lesotho|Lesotho|LS|Africa|Maseru|30355|2140000|-30|28|yes|1966|English|ZA
Canada|Canada|CA|Americas|Ottawa|9984670|38010000|60|-95|no|1945|English,French|US
United States|United States|US|Americas|Washington|9372610|329480000|38|-97|no|1945|English|CA,MX
Mexico|México|MX|Americas|Mexico City|1964375|128930000|23|-102|no|1945|Spanish|GT,US
Guatemala|Guatemala|GT|Americas|Guatemala City|108889|16860000|16|-90|no|1945|Spanish|MX
Cuba|Cuba|CU|Americas|Havana|109884|11330000|22|-80|no|1945|Spanish|
Panama|Panamá|PA|Americas|Panama City|75417|4310000|9|-80|no|1945|Spanish|CO
Colombia|Colombia|CO|Americas|Bogotá|1141748|50880000|4|-72|no|1945|Spanish|BR,EC,PA,PE
Ecuador|Ecuador|EC|Americas|Quito|276841|17640000|-2|-78|no|1945|Spanish|CO,PE
Peru|Perú|PE|Americas|Lima|1285216|32970000|-10|-76|no|1945|Spanish|BO,BR,CL,CO,EC
Brazil|Brasil|BR|Americas|Brasília|8515767|212560000|-10|-55|no|1945|Portuguese|AR,BO,CO,PY,PE,UY
Bolivia|Bolivia|BO|Americas|Sucre|1098581|11670000|-17|-65|yes|1945|Spanish,Quechua|AR,BR,CL,PY,PE
Paraguay|Paraguay|PY|Americas|Asunción|406752|7130000|-23|-58|yes|1945|Spanish,Guaraní|AR,BO,BR
Uruguay|Uruguay|UY|Americas|Montevideo|181034|3470000|-33|-56|no|1945|Spanish|AR,BR
Argentina|Argentina|AR|Americas|Buenos Aires|2780400|45380000|-34|-64|no|1945|Spanish|BO,BR,CL,PY,UY
Chile|Chile|CL|Americas|Santiago|756102|19120000|-30|-71|no|1945|Spanish|AR,BO,PE
Australia|Australia|AU|Oceania|Canberra|7692024|25690000|-27|133|no|1945|English|
New Zealand|New Zealand|NZ|Oceania|Wellington|270467|5080000|-41|174|no|1945|English,Māori|
Fiji|Fiji|FJ|Oceania|Suva|18272|896000|-18|175|no|1970|English,Fijian|
Samoa|Samoa|WS|Oceania|Apia|2842|198000|-14|-172|no|1976|Samoan,English|
Tonga|Tonga|TO|Oceania|Nukuʻalofa|747|106000|-20|-175|no|1999|Tongan,English|
`;

export const countries: Country[] = table(LINES, (cell) => ({
  ...{ name: cell(), native_name: cell(), code: cell(), region: cell(), capital: cell() },
  ...{ area_km2: Number(cell()), population: Number(cell()) },
  ...{ latitude: Number(cell()), longitude: Number(cell()) },
  ...{ landlocked: cell() === 'yes', un_member_since: Number(cell()) },
  ...{ languages: listIn(cell()), borders: listIn(cell()) },
}));
