"""Owns the function words, interrogatives and request verbs of Portuguese, English and Spanish, all in folded form."""


def _each(words: str) -> frozenset[str]:
    return frozenset(words.split())


PORTUGUESE = _each(
    """
    a o as os um uma uns umas ao aos de do da dos das d' em no na nos nas num numa nuns numas por pelo pela pelos pelas
    per para pra pro com sem sob sobre ate desde entre contra perante apos durante mediante conforme segundo
    e ou mas nem porem contudo todavia entretanto portanto logo pois porque que se caso embora quando enquanto como
    eu tu ele ela nos vos eles elas voce voces me te se lhe lhes mim ti si comigo contigo conosco lo los
    meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas dele dela deles delas
    este esta estes estas esse essa esses essas aquele aquela aqueles aquelas isto isso aquilo neste nesta nestes
    nestas nesse nessa nesses nessas naquele naquela deste desta destes destas desse dessa desses dessas daquele daquela
    disto disso daquilo nisto nisso aqui ali la ai ca lhe cujo cuja cujos cujas
    ser sou es e somos sao era eram eras fui foi foram fomos sera serao seria seriam seja sejam fosse fossem for forem
    sendo sido estar estou esta estao estamos estava estavam esteve estiveram estara estarao esteja estejam estivesse
    estiver estando estado ter tenho tem temos teve tiveram tinha tinham tera terao teria teriam tenha tenham tivesse
    tiver tendo tido haver ha havia houve houveram havera haja hajam houver ir vou vai vao vamos iria
    poder pode podem posso podemos podia podiam pude puderam podera poderia possa possam dever deve devem devo devia
    deveria deveriam
    nao sim ja ainda tambem so apenas mais menos muito muita muitos muitas pouco tao tanto assim entao onde
    todo toda todos todas cada algum alguma alguns algumas nenhum nenhuma outro outra outros outras mesmo mesma mesmos
    mesmas tal tais qualquer quaisquer
    """
)

ENGLISH = _each(
    """
    a an the of in on at to for from by with without within into onto upon over under about above below between among
    through during before after since until against across along around behind beside besides beyond near off out up
    down toward towards via per as than
    and or but nor so yet if then else because while although though whether unless
    i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its
    itself they them their theirs themselves this that these those there here
    be am is are was were been being do does did done doing have has had having can could shall should would will might
    must ought not no yes also too very just only even still again more most less much many some any each every all
    both few other another such same own
    i'm i'd i'll i've you're you'd you'll you've he's she's it's we're we've we'll they're they've they'll that's
    there's here's let's don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't won't
    wouldn't shouldn't mustn't what's who's where's how's when's
    """
)

SPANISH = _each(
    """
    el la los las lo un una unos unas al del de en por para con sin sobre entre hasta desde contra segun durante
    y e o u pero ni sino aunque porque pues que si cuando mientras como
    yo tu el ella nosotros vosotros ellos ellas usted ustedes me te se le les nos os mi mis tu tus su sus nuestro
    nuestra nuestros nuestras este esta estos estas ese esa esos esas aquel aquella aquello esto eso aqui alli
    ser es soy somos son era eran fue fueron sera sea estar esta estan estaba estuvo haber ha han habia hay hubo
    tener tiene tienen tenia tuvo puede pueden debe deben va van
    no si ya tambien solo mas menos muy mucho mucha muchos muchas todo toda todos todas cada algun alguna otro otra
    """
)

STOPWORDS: dict[str, frozenset[str]] = {"pt": PORTUGUESE, "en": ENGLISH, "es": SPANISH}

INTERROGATIVES = _each(
    """
    qual quais quem quando onde aonde quanto quanta quantos quantas que como porque
    what which who whom whose when where why how what's who's where's when's how's
    cual cuales quien quienes cuando donde cuanto cuanta cuantos cuantas
    """
)

REQUEST_VERBS = _each(
    """
    mostre mostra mostrar mostre-me mostra-me liste lista listar diga dizer diga-me informe informar explique explicar
    descreva descrever apresente apresentar exiba exibir traga busque procure encontre gostaria quero queria preciso
    poderia favor por-favor cite citar indique indicar calcule calcular resuma resumir defina definir compare comparar
    show list tell give display explain describe find get fetch bring provide present name state summarize summarise
    define compute calculate compare please want need
    muestra muestre muestrame dime diga lista explica explique describe busca
    """
)
