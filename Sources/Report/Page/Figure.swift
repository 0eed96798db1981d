/// A picture with what it says in words, and its numbers in a table that opens below it.
struct Figure {
    /// Also the anchor for links.
    var id: String
    var title: String
    /// The picture's text alternative, which everyone reads: what there is to see, with its numbers.
    var sentence: String
    var svg: String
    var table: HTMLTable

    func write(to text: ResultText) {
        text.append(
            "<figure id=\"\(id)\"><figcaption><h3>\(HTMLText.escape(title))</h3>"
        )
        text.append("<p>\(HTMLText.escape(sentence, limit: 600))</p></figcaption>\n")
        text.append(svg)
        text.append("<details><summary>Numbers</summary>")
        text.append(table.html)
        text.append("</details></figure>\n")
    }
}
