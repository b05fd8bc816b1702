"""Words common in mathematical notes, in languages whose accents the ink lacks; our own list, to be spelled in ink."""

SCHOOL_WORDS = """
resolva resolver equação equações função funções derivada integral calcule calcular determine encontre encontrar raízes raiz quadrática
simplifique expressão sistema inequação desigualdade área raio círculo triângulo retângulo hipotenusa cateto comprimento probabilidade não
evento resposta então logo portanto seja sejam onde valor número números primeiro segundo terceiro questão exercício prova solução três
média mínimo máximo ângulo altura base perímetro volume fração potência razão proporção também através até já está são com para pela
resuelva ecuación función derivada calcular hallar raíces área radio círculo triángulo probabilidad número solución entonces ejercicio
respuesta también según después página pregunta cuántos señal año más qué cuál conjunto límite teorema demostración física química
risolvere equazione funzione derivata calcolare trovare radici raggio cerchio triangolo probabilità numero soluzione quindi perché
esercizio è più così città domanda risposta insieme limite teorema dimostrazione quadrato somma differenza
Gleichung Lösung löse berechne Funktion Ableitung Fläche Kreis Dreieck Wahrscheinlichkeit für größer kleiner Übung Aufgabe Antwort Höhe
Länge natürlich Brüche Menge Grenzwert Beweis Satz gegeben gesucht über müssen können schließlich daß außen Stoß Kräfte
résoudre équation fonction dérivée calculer trouver racines rayon cercle triangle probabilité nombre solution donc où à été même problème
réponse exercice égal après déjà théorème démonstration aire périmètre élève leçon château forêt hôpital français système intérêt
solve equation function derivative find roots area radius circle triangle probability number solution therefore answer exercise question
let then where such that hence proof theorem limit given show value length height slope angle true false if and or not no yes cm kg km
""".split()
