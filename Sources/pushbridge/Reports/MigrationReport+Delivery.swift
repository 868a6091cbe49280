extension MigrationReport {
    /// Prints the report, writes it to a file if one was named, and ends with its status.
    func deliver(asJSON: Bool, to file: String?) throws {
        if let file { try write(to: file) }
        if asJSON {
            try writeJSON(to: Terminal.write)
        } else {
            Terminal.write(text)
        }
        try status.exit()
    }
}
