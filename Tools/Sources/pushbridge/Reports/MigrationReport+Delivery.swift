extension MigrationReport {
    /// Prints the report, writes it to a file if one was taken for it, and ends with its status.
    func deliver(asJSON: Bool, to file: ReportFile?) throws {
        if asJSON {
            try writeJSON(to: Terminal.write)
        } else {
            try Terminal.write(text)
        }
        try file?.write(self)
        try status.exit()
    }
}
