/// A request template taken apart for HPACK: what is constant, ready to be encoded, and what varies.
struct TemplateLayout {
    /// A field that is the same in every request.
    struct Constant {
        var name: String
        var value: String
        var indexing: HeaderIndexing
        /// The field's number in the encoder's table, when it may enter it.
        var number: Int?
        /// Where the static table has the name, and the whole field.
        var staticName: Int?
        var staticField: Int?

        /// An upper bound for the encoded field: name and value with two lengths of at most five bytes and a type.
        var maximumSize: Int { name.utf8.count + value.utf8.count + 11 }
    }

    /// Constant pseudo-header fields: they come before the path and everything else (RFC 9113, section 8.3).
    var pseudo: [Constant] = []
    var regular: [Constant] = []
    var hasPath = false
    var hasAPNsID = false
    var hasContentLength = false
    /// The name of the field that varies with the apns-id, as a literal that is never indexed.
    var apnsIDName: [UInt8] = []
    /// Bytes that Huffman coding would save in the constant fields that are never indexed.
    var bytesLost = 0

    init(_ template: RequestTemplate) {
        for field in template.fields {
            precondition(field.name == field.name.lowercased(), "header field name \(field.name) is not in lower case")
            switch field.value {
            case .constant(let value): add(Constant(name: field.name, value: value, indexing: field.indexing))
            case .path:
                precondition(field.name == ":path" && !hasPath, "the path varies in :path, once")
                hasPath = true
            case .apnsID:
                precondition(!hasAPNsID, "a request template has two fields for the apns-id")
                hasAPNsID = true
                apnsIDName = HPACKCoding.literalName(field.name, index: nil, .neverIndexed)
            case .contentLength:
                precondition(field.name == "content-length" && !hasContentLength, "content-length varies once")
                hasContentLength = true
            }
        }
        countLosses()
    }

    private mutating func add(_ constant: Constant) {
        var constant = constant
        (constant.staticName, constant.staticField) = StaticTable.find(constant.name, constant.value)
        if constant.name.hasPrefix(":") { pseudo.append(constant) } else { regular.append(constant) }
    }

    /// Gives the field of that name another value and takes it out of use in the table.
    mutating func replace(_ name: String, with value: String, in table: inout EncoderTable) {
        let change = { (constants: inout [Constant]) -> Int?? in
            guard let index = constants.firstIndex(where: { $0.name == name }) else { return nil }
            let old = constants[index].number
            constants[index].number = nil
            constants[index].value = value
            (constants[index].staticName, constants[index].staticField) = StaticTable.find(name, value)
            return .some(old)
        }
        guard let old = change(&pseudo) ?? change(&regular) else {
            preconditionFailure("the request template has no constant field named \(name)")
        }
        if let old { table.release(old) }
        countLosses()
        intern(in: &table)
    }

    /// Gives every field that may enter the table its number.
    mutating func intern(in table: inout EncoderTable) {
        for index in pseudo.indices { pseudo[index].intern(in: &table) }
        for index in regular.indices { regular[index].intern(in: &table) }
    }

    /// An upper bound for the encoded constants, with two size updates in front.
    var maximumSize: Int {
        (pseudo + regular).reduce(10) { $0 + $1.maximumSize }
    }

    private mutating func countLosses() {
        bytesLost = (pseudo + regular).filter { $0.indexing == .neverIndexed && $0.staticField == nil }
            .reduce(0) { $0 + HPACKCoding.plain($1.value).count - HPACKCoding.shortest($1.value).count }
    }
}

extension TemplateLayout.Constant {
    mutating func intern(in table: inout EncoderTable) {
        if number == nil && indexing == .indexed && staticField == nil { number = table.intern(name, value) }
    }

    /// The field as it is sent now; puts it into the table if it may enter and is not there.
    func encode(in table: inout EncoderTable) -> [UInt8] {
        if let staticField { return HPACKCoding.indexed(staticField) }
        guard let number else {
            return HPACKCoding.literalName(name, index: staticName, .neverIndexed) + HPACKCoding.plain(value)
        }
        if let index = table.index(of: number) { return HPACKCoding.indexed(index) }
        // Looked up before the insertion, as the peer does.
        let nameIndex = staticName ?? table.index(ofName: name)
        let kind = table.insert(number) ? HPACKCoding.Literal.indexed : .notIndexed
        return HPACKCoding.literalName(name, index: nameIndex, kind) + HPACKCoding.shortest(value)
    }
}
