/// Sees requests before they are sent, and may change them.
public protocol RequestInterceptor {
    /// The request to send instead of `request`; `request` itself if nothing is to be changed.
    ///
    /// Called once for each request, on any thread. The time-out of a push request may at most be doubled: then its
    /// answer may be given again.
    func intercept(request: Request, action: Action) -> Request
}
