// Chemical elements: facts of public record, written from general knowledge; numbers are rounded. Facts have no licence.
import { numberIn, table } from './table.ts';

export interface Element {
  name: string;
  symbol: string;
  atomic_number: number;
  atomic_mass: number;
  category: string;
  phase: string;
  melting_point_c?: number;
  boiling_point_c?: number;
  density_g_cm3?: number;
  discovered?: number;
  radioactive: boolean;
}

/** name | symbol | number | mass | category | phase | melting | boiling | density | discovered | radioactive */
const LINES = `
Hydrogen|H|1|1.008|nonmetal|gas|-259.1|-252.9|0.00009|1766|no
Helium|He|2|4.0026|noble gas|gas||-268.9|0.00018|1895|no
Lithium|Li|3|6.94|alkali metal|solid|180.5|1342|0.534|1817|no
Beryllium|Be|4|9.0122|alkaline earth metal|solid|1287|2470|1.85|1798|no
Boron|B|5|10.81|metalloid|solid|2076|3927|2.34|1808|no
Carbon|C|6|12.011|nonmetal|solid|3550|4027|2.267||no
Nitrogen|N|7|14.007|nonmetal|gas|-210|-195.8|0.0012506|1772|no
Oxygen|O|8|15.999|nonmetal|gas|-218.8|-183|0.001429|1774|no
Fluorine|F|9|18.998|halogen|gas|-219.7|-188.1|0.001696|1886|no
Neon|Ne|10|20.18|noble gas|gas|-248.6|-246|0.0009|1898|no
Sodium|Na|11|22.99|alkali metal|solid|97.8|883|0.971|1807|no
Magnesium|Mg|12|24.305|alkaline earth metal|solid|650|1090|1.738|1755|no
Aluminium|Al|13|26.982|post-transition metal|solid|660.3|2519|2.698|1825|no
Silicon|Si|14|28.085|metalloid|solid|1414|3265|2.3296|1824|no
Phosphorus|P|15|30.974|nonmetal|solid|44.2|280.5|1.82|1669|no
Sulfur|S|16|32.06|nonmetal|solid|115.2|444.6|2.067||no
Chlorine|Cl|17|35.45|halogen|gas|-101.5|-34|0.003214|1774|no
Argon|Ar|18|39.95|noble gas|gas|-189.3|-185.8|0.0017837|1894|no
Potassium|K|19|39.098|alkali metal|solid|63.5|759|0.862|1807|no
Calcium|Ca|20|40.078|alkaline earth metal|solid|842|1484|1.54|1808|no
Scandium|Sc|21|44.956|transition metal|solid|1541|2836|2.989|1879|no
Titanium|Ti|22|47.867|transition metal|solid|1668|3287|4.54|1791|no
Vanadium|V|23|50.942|transition metal|solid|1910|3407|6.11|1801|no
Chromium|Cr|24|51.996|transition metal|solid|1907|2671|7.15|1797|no
Manganese|Mn|25|54.938|transition metal|solid|1246|2061|7.44|1774|no
Iron|Fe|26|55.845|transition metal|solid|1538|2862|7.874||no
Cobalt|Co|27|58.933|transition metal|solid|1495|2927|8.86|1735|no
Nickel|Ni|28|58.693|transition metal|solid|1455|2913|8.912|1751|no
Copper|Cu|29|63.546|transition metal|solid|1084.6|2562|8.96||no
Zinc|Zn|30|65.38|transition metal|solid|419.5|907|7.134|1746|no
Gallium|Ga|31|69.723|post-transition metal|solid|29.8|2400|5.907|1875|no
Germanium|Ge|32|72.63|metalloid|solid|938.3|2833|5.323|1886|no
Arsenic|As|33|74.922|metalloid|solid||614|5.776|1250|no
Selenium|Se|34|78.971|nonmetal|solid|221|685|4.809|1817|no
Bromine|Br|35|79.904|halogen|liquid|-7.2|58.8|3.122|1826|no
Krypton|Kr|36|83.798|noble gas|gas|-157.4|-153.4|0.003733|1898|no
Rubidium|Rb|37|85.468|alkali metal|solid|39.3|688|1.532|1861|no
Strontium|Sr|38|87.62|alkaline earth metal|solid|777|1377|2.64|1790|no
Yttrium|Y|39|88.906|transition metal|solid|1522|3345|4.469|1794|no
Zirconium|Zr|40|91.224|transition metal|solid|1855|4409|6.506|1789|no
Niobium|Nb|41|92.906|transition metal|solid|2477|4744|8.57|1801|no
Molybdenum|Mo|42|95.95|transition metal|solid|2623|4639|10.22|1778|no
Technetium|Tc|43|98|transition metal|solid|2157|4265|11.5|1937|yes
Ruthenium|Ru|44|101.07|transition metal|solid|2334|4150|12.37|1844|no
Rhodium|Rh|45|102.91|transition metal|solid|1964|3695|12.41|1804|no
Palladium|Pd|46|106.42|transition metal|solid|1554.9|2963|12.02|1803|no
Silver|Ag|47|107.87|transition metal|solid|961.8|2162|10.501||no
Cadmium|Cd|48|112.41|transition metal|solid|321.1|767|8.69|1817|no
Indium|In|49|114.82|post-transition metal|solid|156.6|2072|7.31|1863|no
Tin|Sn|50|118.71|post-transition metal|solid|231.9|2602|7.287||no
Antimony|Sb|51|121.76|metalloid|solid|630.6|1587|6.685||no
Tellurium|Te|52|127.6|metalloid|solid|449.5|988|6.232|1782|no
Iodine|I|53|126.9|halogen|solid|113.7|184.3|4.93|1811|no
Xenon|Xe|54|131.29|noble gas|gas|-111.8|-108.1|0.005887|1898|no
Caesium|Cs|55|132.91|alkali metal|solid|28.5|671|1.873|1860|no
Barium|Ba|56|137.33|alkaline earth metal|solid|727|1845|3.594|1808|no
Lanthanum|La|57|138.91|lanthanide|solid|920|3464|6.145|1838|no
Cerium|Ce|58|140.12|lanthanide|solid|799|3443|6.77|1803|no
Neodymium|Nd|60|144.24|lanthanide|solid|1024|3074|7.007|1885|no
Promethium|Pm|61|145|lanthanide|solid|1042|3000|7.26|1945|yes
Europium|Eu|63|151.96|lanthanide|solid|826|1529|5.243|1901|no
Gadolinium|Gd|64|157.25|lanthanide|solid|1312|3273|7.895|1880|no
Hafnium|Hf|72|178.49|transition metal|solid|2233|4603|13.31|1923|no
Tantalum|Ta|73|180.95|transition metal|solid|3017|5458|16.654|1802|no
Tungsten|W|74|183.84|transition metal|solid|3422|5555|19.25|1783|no
Rhenium|Re|75|186.21|transition metal|solid|3186|5596|21.02|1925|no
Osmium|Os|76|190.23|transition metal|solid|3033|5012|22.61|1803|no
Iridium|Ir|77|192.22|transition metal|solid|2446|4130|22.56|1803|no
Platinum|Pt|78|195.08|transition metal|solid|1768.3|3825|21.46|1735|no
Gold|Au|79|196.97|transition metal|solid|1064.2|2856|19.282||no
Mercury|Hg|80|200.59|transition metal|liquid|-38.8|356.7|13.5336||no
Thallium|Tl|81|204.38|post-transition metal|solid|304|1473|11.85|1861|no
Lead|Pb|82|207.2|post-transition metal|solid|327.5|1749|11.342||no
Bismuth|Bi|83|208.98|post-transition metal|solid|271.4|1564|9.807|1753|no
Polonium|Po|84|209|metalloid|solid|254|962|9.32|1898|yes
Astatine|At|85|210|halogen|solid|302|337|7|1940|yes
Radon|Rn|86|222|noble gas|gas|-71|-61.7|0.00973|1900|yes
Francium|Fr|87|223|alkali metal|solid|27|677|1.87|1939|yes
Radium|Ra|88|226|alkaline earth metal|solid|700|1737|5.5|1898|yes
Actinium|Ac|89|227|actinide|solid|1050|3200|10.07|1899|yes
Thorium|Th|90|232.04|actinide|solid|1750|4788|11.72|1829|yes
Uranium|U|92|238.03|actinide|solid|1135|4131|18.95|1789|yes
Plutonium|Pu|94|244|actinide|solid|640|3228|19.84|1940|yes
Americium|Am|95|243|actinide|solid|1176|2607|13.69|1944|yes
Einsteinium|Es|99|252|actinide|solid|860||8.84|1952|yes
`;

export const elements: Element[] = table(LINES, (cell) => {
  const [name, symbol, atomic_number, atomic_mass] = [cell(), cell(), Number(cell()), Number(cell())];
  const [category, phase] = [cell(), cell()];
  const [melting, boiling, density, discovered] = [cell(), cell(), cell(), cell()].map(numberIn);
  return {
    ...{ name, symbol, atomic_number, atomic_mass, category, phase },
    ...(melting !== undefined && { melting_point_c: melting }),
    ...(boiling !== undefined && { boiling_point_c: boiling }),
    ...(density !== undefined && { density_g_cm3: density }),
    ...(discovered !== undefined && { discovered }),
    radioactive: cell() === 'yes',
  };
});
