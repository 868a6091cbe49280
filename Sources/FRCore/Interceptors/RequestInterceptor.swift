/// Sees requests before they are sent, and may change them.
public protocol RequestInterceptor {
    /// The request to send instead of `request`; `request` itself if nothing is to be changed.
    ///
    /// Called once for each request, on any thread.
    func intercept(request: Request, action: Action) -> Request
}
