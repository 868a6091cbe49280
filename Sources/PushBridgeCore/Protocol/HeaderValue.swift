extension String {
    /// Whether the text can stand in an HTTP header: a line break there would begin another header.
    var isHeaderValue: Bool {
        unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
