/// The beginning and the end that all pages have.
enum PageHead {
    static func write(title: String, to text: ResultText) {
        text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        text.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        text.append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>\(HTMLText.escape(title))</title>\n")
        // An icon of its own keeps browsers from asking a server for one.
        text.append("<link rel=\"icon\" href=\"data:,\">\n<style>\n\(PageStyle.text)</style></head>\n<body><main>\n")
    }

    static func writeEnd(to text: ResultText) {
        text.append("</main><div id=\"tip\" hidden></div>\n<script>\(PageScript.text)</script>\n</body></html>\n")
    }
}
