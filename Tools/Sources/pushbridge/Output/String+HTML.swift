extension String {
    /// The text with everything that HTML would read as markup replaced, fit for content and attributes.
    var htmlEscaped: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for character in self {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case let steering where steering.isControl: escaped += " "
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
